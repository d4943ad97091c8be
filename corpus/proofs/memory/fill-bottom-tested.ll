; A bottom-tested loop that fills bytes becomes a memset of n bytes.
; Wrong for n = 0: the source stores a byte, the target none.

define void @src(ptr %p, i64 noundef %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 7, ptr %at
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %header, label %exit

exit:
  ret void
}

define void @tgt(ptr %p, i64 noundef %n) {
entry:
  call void @llvm.memset.p0.i64(ptr %p, i8 7, i64 %n, i1 false)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
