; simplifycfg
; Loop metadata keeps a latch only while the loop exists.

define void @f(i1 %a, i1 %b) {
entry:
  br label %header

header:
  br i1 %a, label %latch, label %other

other:
  br i1 %b, label %exit, label %other

latch:
  br i1 false, label %header, label %exit, !llvm.loop !0

exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
