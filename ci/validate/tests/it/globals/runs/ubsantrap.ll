; Nor does `llvm.ubsantrap`.
; judged ubsantrap: keeps !invariant.load

declare void @llvm.ubsantrap(i8 immarg)
define void @src_ubsantrap(ptr noundef dereferenceable(8) align 8 %p) {
  store i64 1, ptr %p, align 8
  call void @llvm.ubsantrap(i8 1)
  %x = load i64, ptr %p, align 8, !invariant.load !0
  ret void
}
define void @tgt_ubsantrap(ptr noundef dereferenceable(8) align 8 %p) {
  store i64 1, ptr %p, align 8
  %x = load i64, ptr %p, align 8, !invariant.load !0
  call void @llvm.ubsantrap(i8 1)
  ret void
}
!0 = !{}
