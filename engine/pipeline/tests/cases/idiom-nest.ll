; loop(loop-idiom,indvars,loop-deletion)
; Each row becomes one fill, then all rows become one.
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @rows(ptr %p, i64 %n) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %r = getelementptr [64 x i32], ptr %p, i64 %j
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %q = getelementptr i32, ptr %r, i64 %i
  store i32 0, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %i.next, 64
  br i1 %c, label %inner, label %latch
latch:
  %j.next = add nuw nsw i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
; Rows in descending order, filled with an unknown byte.
define void @down(ptr %p, i8 %x) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 9, %entry ], [ %j.next, %loop ]
  %r = getelementptr [16 x i8], ptr %p, i64 %j
  call void @llvm.memset.p0.i64(ptr %r, i8 %x, i64 16, i1 false)
  %j.next = add nsw i64 %j, -1
  %d = icmp sge i64 %j.next, 0
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
