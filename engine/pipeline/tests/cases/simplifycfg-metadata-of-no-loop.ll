; simplifycfg
; Metadata on an edge of an irreducible cycle belongs to no loop, and not to the loop that remains of the cycle.
define void @f(i1 %c) {
entry:
  br i1 false, label %a, label %b
a:
  br i1 %c, label %b, label %out
b:
  br label %a, !llvm.loop !0
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
