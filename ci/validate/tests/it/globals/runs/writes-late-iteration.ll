; From some iteration on the target writes other bytes.
; judged late: if memory that @tgt_late writes is reached through `noalias` parameters as in the source

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @src_late(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i64 noundef %n, i64 noundef %k) {
entry:
  store i64 0, ptr %q, align 8
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %h ]
  store i8 0, ptr %p, align 8
  %i1 = add nuw i64 %i, 1
  %d = icmp ult i64 %i1, %n
  br i1 %d, label %h, label %x
x:
  ret void
}
define void @tgt_late(ptr noalias noundef dereferenceable(16) align 8 %p, ptr noundef dereferenceable(8) align 8 %q, i64 noundef %n, i64 noundef %k) {
entry:
  store i64 0, ptr %q, align 8
  br label %h
h:
  %i = phi i64 [ 0, %entry ], [ %i1, %h ]
  store i8 0, ptr %p, align 8
  %key = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %key, 1311768467463790320
  %late = icmp ugt i64 %i, 10
  %c = and i1 %late, %in
  %z = zext i1 %c to i64
  %g = getelementptr i64, ptr %p, i64 %z
  call void @llvm.memmove.p0.p0.i64(ptr %g, ptr %g, i64 1, i1 false)
  %i1 = add nuw i64 %i, 1
  %d = icmp ult i64 %i1, %n
  br i1 %d, label %h, label %x
x:
  ret void
}
