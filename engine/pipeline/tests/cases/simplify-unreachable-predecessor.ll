; loop-simplify
define void @f(i1 %c) {
entry:
  br label %header
header:
  br label %latch
dead:
  br i1 %c, label %latch, label %exit
latch:
  %p = phi i32 [ 1, %header ], [ 2, %dead ]
  br i1 %c, label %header, label %exit
exit:
  %q = phi i32 [ %p, %latch ], [ 3, %dead ]
  ret void
}
