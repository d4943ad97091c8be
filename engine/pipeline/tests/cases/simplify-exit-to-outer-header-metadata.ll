; loop-simplify
; The inner loop exits to the outer loop's header: the new block in between is the latch of the outer loop and gets its
; metadata. If the same branch is also the latch of the inner loop, the metadata stays on that branch.

define void @f(i1 %a, i1 %b) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %a, label %outer, label %more, !llvm.loop !0
more:
  br i1 %b, label %inner, label %after, !llvm.loop !1
after:
  br i1 %a, label %outer, label %exit, !llvm.loop !0
exit:
  ret void
}

define void @closes_both(i1 %a, i1 %b) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %b, label %latch, label %exit
latch:
  br i1 %a, label %outer, label %inner, !llvm.loop !1
exit:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
