; simplifycfg
; What is said at an edge of an irreducible cycle is said of no loop, and not of the loop that is left of it.
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
