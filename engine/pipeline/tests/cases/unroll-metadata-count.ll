; loop-unroll<partial>
; The metadata requests a count of three.
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i1, ptr %p
  br i1 %v, label %out, label %loop, !llvm.loop !0
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 3}
