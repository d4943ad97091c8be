; simple-loop-unswitch<nontrivial;threshold=6>
; The duplicated code costs six.
declare void @effect(i32)

define void @f(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @effect(i32 %i)
  br i1 %c, label %a, label %latch
a:
  call void @effect(i32 1)
  call void @effect(i32 2)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}
