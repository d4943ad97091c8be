; A trap of the same kind is the same trap, wherever it is.

declare void @llvm.ubsantrap(i8 immarg)

define void @src(i1 noundef %c, i1 noundef %d) {
  br i1 %c, label %first, label %next
first:
  call void @llvm.ubsantrap(i8 1)
  unreachable
next:
  br i1 %d, label %second, label %exit
second:
  call void @llvm.ubsantrap(i8 1)
  unreachable
exit:
  ret void
}
define void @tgt(i1 noundef %c, i1 noundef %d) {
  %e = or i1 %c, %d
  br i1 %e, label %first, label %exit
first:
  call void @llvm.ubsantrap(i8 1)
  unreachable
exit:
  ret void
}
