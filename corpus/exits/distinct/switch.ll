; A switch in the loop leaves it by two cases and stays by two others.

define i32 @f(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.1, %one ], [ %i.2, %two ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %op = load i8, ptr %at
  switch i8 %op, label %bad [
    i8 0, label %halt
    i8 1, label %one
    i8 2, label %two
  ]

one:
  %i.1 = add i32 %i, 1
  br label %loop

two:
  %i.2 = add i32 %i, 2
  br label %loop

halt:
  ret i32 %i

bad:
  ret i32 -1
}
