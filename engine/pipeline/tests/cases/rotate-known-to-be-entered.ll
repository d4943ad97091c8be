; loop-rotate
; The guard folds: the loop runs ten times.
define void @f(ptr %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, 10
  br i1 %c, label %body, label %exit
body:
  store i32 %i, ptr %p, align 4
  %i.next = add i32 %i, 1
  br label %header
exit:
  ret void
}
