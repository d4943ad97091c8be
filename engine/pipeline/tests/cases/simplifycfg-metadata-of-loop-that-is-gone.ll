; simplifycfg
; The loop exits in its first iteration: its metadata is dropped with it.
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %x = load volatile i32, ptr %p
  br i1 true, label %out, label %loop, !llvm.loop !0
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
