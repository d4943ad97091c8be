; A loop that fills bytes becomes one memset.

define void @src(ptr %p, i64 noundef %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 7, ptr %at
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(ptr %p, i64 noundef %n) {
entry:
  call void @llvm.memset.p0.i64(ptr %p, i8 7, i64 %n, i1 false)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
