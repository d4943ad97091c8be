; loop(simple-loop-unswitch)
; One switch exits to two blocks.
define i32 @f(i32 %x, ptr %p) {
entry:
  br label %loop
loop:
  switch i32 %x, label %body [ i32 1, label %one
                               i32 2, label %two ]
body:
  %v = load volatile i1, ptr %p
  br i1 %v, label %loop, label %out
one:
  ret i32 1
two:
  ret i32 2
out:
  ret i32 0
}
