; Metadata of loops means nothing on a cycle that is no loop: the source may go round for ever, and the target must.

define void @src(i1 noundef %b) {
entry:
  br i1 %b, label %one, label %two
one:
  br label %two
two:
  br label %one, !llvm.loop !0
}
define void @tgt(i1 noundef %b) {
entry:
  ret void
}

define void @src_one_latch_of_two(i1 noundef %b) {
entry:
  br label %loop
loop:
  br i1 %b, label %one, label %two
one:
  br label %loop, !llvm.loop !0
two:
  br label %loop
}
define void @tgt_one_latch_of_two(i1 noundef %b) {
entry:
  ret void
}

; The latch stands in front of the header.
define void @src_backwards(i1 noundef %b) {
entry:
  br label %header
latch:
  br label %header, !llvm.loop !0
header:
  br i1 %b, label %latch, label %exit
exit:
  ret void
}
define void @tgt_backwards(i1 noundef %b) {
entry:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
