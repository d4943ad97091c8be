; hir-interchange
; A getelementptr sign-extends 32-bit indices implicitly. If they do not wrap, the nest is interchanged as if the
; extension were explicit.

define void @gep_const(ptr noalias %a, ptr noalias %b) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr inbounds [8 x i32], ptr %a, i32 %j, i32 %i
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  %j.next = add nuw nsw i32 %j, 1
  %c = icmp ult i32 %j.next, 8
  br i1 %c, label %inner, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %d = icmp ult i32 %i.next, 8
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
