; A library function writes.
; judged lib: if memory that @tgt_lib writes is reached through `noalias` parameters as in the source

declare ptr @memmove(ptr, ptr, i64)
define void @src_lib(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i64 noundef %k) {
entry:
  %p8 = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %p8, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  ret void
out:
  ret void
}
define void @tgt_lib(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i64 noundef %k) {
entry:
  %p8 = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %p8, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  %r = call ptr @memmove(ptr %p, ptr %p, i64 1)
  ret void
out:
  ret void
}
