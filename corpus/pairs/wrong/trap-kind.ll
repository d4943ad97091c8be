; LangRef, `llvm.ubsantrap`: its argument becomes a part of the trap, so that crashes can be told apart.

declare void @llvm.trap()
declare void @llvm.ubsantrap(i8 immarg)

define void @src_kind() {
  call void @llvm.ubsantrap(i8 1)
  unreachable
}
define void @tgt_kind() {
  call void @llvm.ubsantrap(i8 2)
  unreachable
}

; Where runs don't find the way to it.
define void @src_guarded(i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %m, 1552334026878672757
  br i1 %c, label %a, label %b
a:
  call void @llvm.ubsantrap(i8 1)
  unreachable
b:
  ret void
}
define void @tgt_guarded(i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %m, 1552334026878672757
  br i1 %c, label %a, label %b
a:
  call void @llvm.ubsantrap(i8 2)
  unreachable
b:
  ret void
}

; Two blocks that trap as one.
define void @src_merged(i1 noundef %c, i1 noundef %d) {
  br i1 %c, label %first, label %next
first:
  call void @llvm.ubsantrap(i8 1)
  unreachable
next:
  br i1 %d, label %second, label %exit
second:
  call void @llvm.ubsantrap(i8 2)
  unreachable
exit:
  ret void
}
define void @tgt_merged(i1 noundef %c, i1 noundef %d) {
  %e = or i1 %c, %d
  br i1 %e, label %first, label %exit
first:
  call void @llvm.ubsantrap(i8 1)
  unreachable
exit:
  ret void
}

define void @src_other() {
  call void @llvm.trap()
  unreachable
}
define void @tgt_other() {
  call void @llvm.ubsantrap(i8 0)
  unreachable
}
