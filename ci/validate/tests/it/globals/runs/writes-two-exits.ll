; Two exits of one loop.
; judged exits: if memory that @tgt_exits writes is reached through `noalias` parameters as in the source

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @src_exits(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i8 noundef %n, i8 noundef %m, i64 noundef %k) {
entry:
  %p8 = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %p8, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  %i = phi i8 [ 0, %entry ], [ %i1, %b ]
  %c = icmp eq i8 %i, %n
  br i1 %c, label %e1, label %b
b:
  %i1 = add i8 %i, 1
  %c2 = icmp eq i8 %i, %m
  br i1 %c2, label %e2, label %h
e1:
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %p, i64 1, i1 false)
  ret void
e2:
  ret void
out:
  ret void
}
define void @tgt_exits(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i8 noundef %n, i8 noundef %m, i64 noundef %k) {
entry:
  %p8 = getelementptr i8, ptr %p, i64 8
  store i64 1, ptr %p8, align 8
  store i64 1, ptr %q, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  br i1 %in, label %h, label %out
h:
  %i = phi i8 [ 0, %entry ], [ %i1, %b ]
  %c = icmp eq i8 %i, %n
  br i1 %c, label %e1, label %b
b:
  %i1 = add i8 %i, 1
  %c2 = icmp eq i8 %i, %m
  br i1 %c2, label %e2, label %h
e1:
  ret void
e2:
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %p, i64 1, i1 false)
  ret void
out:
  ret void
}
