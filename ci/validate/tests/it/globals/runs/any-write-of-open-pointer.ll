; A write through a selected pointer matches only itself.
; judged sel: if memory that @tgt_sel writes is reached through `noalias` parameters as in the source

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @src_sel(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i1 noundef %c, i64 noundef %k) {
entry:
  %a = alloca i8
  %p8 = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %p8, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  %s = select i1 %c, ptr %a, ptr %p8
  store i8 0, ptr %s, align 1
  ret void
out:
  ret void
}
define void @tgt_sel(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i1 noundef %c, i64 noundef %k) {
entry:
  %a = alloca i8
  %p8 = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %p8, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  %s = select i1 %c, ptr %a, ptr %p8
  store i8 0, ptr %s, align 1
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %p, i64 1, i1 false)
  ret void
out:
  ret void
}
