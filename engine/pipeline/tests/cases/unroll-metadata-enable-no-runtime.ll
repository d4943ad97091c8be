; loop-unroll
; Metadata requests unrolling, but not with a runtime trip count, so a loop without a constant trip count is not
; unrolled.
define void @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %a
  %i.next = add nuw i32 %i, 1
  %e = icmp ult i32 %i.next, %n
  br i1 %e, label %loop, label %out, !llvm.loop !0
out:
  ret void
}
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.enable"}
!2 = !{!"llvm.loop.unroll.runtime.disable"}
