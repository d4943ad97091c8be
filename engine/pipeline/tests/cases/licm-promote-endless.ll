; loop-mssa(licm)
define void @inf(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %in, %loop ]
  %in = add i32 %i, 1
  store i32 %in, ptr %p
  br label %loop
}
