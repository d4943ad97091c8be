; `llvm.trap` does not return.
; judged trap: keeps !invariant.load

declare void @llvm.trap()
define void @src_trap(ptr noundef dereferenceable(8) align 8 %p) {
  store i64 1, ptr %p, align 8
  call void @llvm.trap()
  %x = load i64, ptr %p, align 8, !invariant.load !0
  ret void
}
define void @tgt_trap(ptr noundef dereferenceable(8) align 8 %p) {
  store i64 1, ptr %p, align 8
  %x = load i64, ptr %p, align 8, !invariant.load !0
  call void @llvm.trap()
  ret void
}
!0 = !{}
