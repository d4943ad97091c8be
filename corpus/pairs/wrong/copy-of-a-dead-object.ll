; What a copy reads of an object after its lifetime is poison.

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

define void @src(ptr %p) {
  %a = alloca i8
  call void @llvm.lifetime.start.p0(ptr %a)
  store i8 1, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  call void @llvm.lifetime.end.p0(ptr %a)
  ret void
}

define void @tgt(ptr %p) {
  %a = alloca i8
  call void @llvm.lifetime.start.p0(ptr %a)
  store i8 1, ptr %a
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  ret void
}

define void @src_guarded(ptr %p, i64 %k) {
entry:
  %x = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret void

wrong:
  %a = alloca i8
  call void @llvm.lifetime.start.p0(ptr %a)
  store i8 1, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  call void @llvm.lifetime.end.p0(ptr %a)
  ret void
}

define void @tgt_guarded(ptr %p, i64 %k) {
entry:
  %x = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret void

wrong:
  %a = alloca i8
  call void @llvm.lifetime.start.p0(ptr %a)
  store i8 1, ptr %a
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 1, i1 false)
  ret void
}
