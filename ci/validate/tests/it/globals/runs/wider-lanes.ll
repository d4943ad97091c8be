; One mask, for wider elements.
; judged wider_lanes: if memory that @tgt_wider_lanes writes

declare void @llvm.masked.store.v4i8.p0(<4 x i8>, ptr, <4 x i1>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
define i32 @src_wider_lanes(ptr noundef noalias align 16 dereferenceable(16) %p, ptr noundef align 4 dereferenceable(4) %q, <4 x i8> noundef %x) {
  %o = load <4 x i32>, ptr %p, align 16, !noundef !0
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %x, ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 true>)
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
define i32 @tgt_wider_lanes(ptr noundef noalias align 16 dereferenceable(16) %p, ptr noundef align 4 dereferenceable(4) %q, <4 x i8> noundef %x) {
  %o = load <4 x i32>, ptr %p, align 16, !noundef !0
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %o, ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.store.v4i8.p0(<4 x i8> %x, ptr align 4 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 true>)
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
!0 = !{}
