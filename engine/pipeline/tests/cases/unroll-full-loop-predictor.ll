; loop-unroll-full<machine=ooo-loop-predictor>
; Only the trip count is known: a machine with a loop predictor gains nothing.
define void @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi ptr [ %a, %entry ], [ %p.next, %loop ]
  %v = load volatile i32, ptr %p
  %w = mul i32 %v, %v
  store volatile i32 %w, ptr %p
  %p.next = getelementptr i8, ptr %p, i64 4
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, 6
  br i1 %e, label %out, label %loop
out:
  ret void
}
; The stored value is a constant in each iteration.
define void @g(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = mul i32 %i, %i
  %t = xor i32 %s, 5
  store volatile i32 %t, ptr %a
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, 6
  br i1 %e, label %out, label %loop
out:
  ret void
}
; Metadata requests full unrolling.
define void @h(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load volatile i32, ptr %a
  store volatile i32 %v, ptr %a
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, 3
  br i1 %e, label %out, label %loop, !llvm.loop !0
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
