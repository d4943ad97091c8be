; loop(loop-idiom)
; Rows with gaps, a fill that must be observable, a fill with a changing byte, and one whose memory is read.
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @gaps(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %r = getelementptr [65 x i32], ptr %p, i64 %j
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 256, i1 false)
  %j.next = add nuw nsw i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @volatile(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %r = getelementptr [64 x i32], ptr %p, i64 %j
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 256, i1 true)
  %j.next = add nuw nsw i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @changes(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %x = trunc i64 %j to i8
  %r = getelementptr [64 x i32], ptr %p, i64 %j
  call void @llvm.memset.p0.i64(ptr %r, i8 %x, i64 256, i1 false)
  %j.next = add nuw nsw i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define i32 @read(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %r = getelementptr [64 x i32], ptr %p, i64 %j
  %after = getelementptr [64 x i32], ptr %r, i64 1
  %v = load i32, ptr %after
  %s.next = add i32 %s, %v
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 256, i1 false)
  %j.next = add nuw nsw i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret i32 %s.next
}
; The first byte of a row belongs to a pointer that is loaded: no copy.
define void @loaded(ptr %p, ptr noalias %to, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %q = getelementptr ptr, ptr %p, i64 %j
  %r = load ptr, ptr %q
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 8, i1 false)
  %j.next = add nuw nsw i64 %j, 1
  %d = icmp ult i64 %j.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
