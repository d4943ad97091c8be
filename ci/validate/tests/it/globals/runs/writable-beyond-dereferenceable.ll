; `writable` memory is bounded by `dereferenceable`.
; judged writable: if memory that @tgt_writable writes is reached through `noalias` parameters as in the source

declare void @llvm.assume(i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @src_writable(ptr noalias noundef writable dereferenceable(8) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i64 noundef %k) {
entry:
  store i64 1, ptr %p, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  %p8 = getelementptr i8, ptr %p, i64 8
  call void @llvm.assume(i1 true) ["dereferenceable"(ptr %p8, i64 8), "align"(ptr %p8, i64 8)]
  ret void
out:
  ret void
}
define void @tgt_writable(ptr noalias noundef writable dereferenceable(8) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i64 noundef %k) {
entry:
  store i64 1, ptr %p, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  %p8 = getelementptr i8, ptr %p, i64 8
  call void @llvm.assume(i1 true) ["dereferenceable"(ptr %p8, i64 8), "align"(ptr %p8, i64 8)]
  call void @llvm.memmove.p0.p0.i64(ptr %p8, ptr %p8, i64 1, i1 false)
  ret void
out:
  ret void
}
