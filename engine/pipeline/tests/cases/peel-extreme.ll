; loop-peel
; A minimum or maximum of a counter and a bound equals one of them after two iterations.
define void @umin(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %m = call i32 @llvm.umin.i32(i32 %i, i32 2)
  %x = mul i32 %m, %n
  store volatile i32 %x, ptr %p
  %i.next = add nuw i32 %i, 1
  %e = icmp ult i32 %i.next, %n
  br i1 %e, label %loop, label %out
out:
  ret void
}
define void @smax(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ -1, %entry ], [ %i.next, %loop ]
  %m = call i32 @llvm.smax.i32(i32 1, i32 %i)
  store volatile i32 %m, ptr %p
  %i.next = add nsw i32 %i, 1
  %e = icmp slt i32 %i.next, %n
  br i1 %e, label %loop, label %out
out:
  ret void
}
define i32 @smin_down(ptr %p, i32 %n) {
entry:
  %start = add nsw i32 %n, 2
  br label %loop
loop:
  %i = phi i32 [ 12, %entry ], [ %i.next, %loop ]
  %m = call i32 @llvm.smin.i32(i32 %i, i32 10)
  store volatile i32 %m, ptr %p
  %i.next = add nsw i32 %i, -1
  %e = icmp sgt i32 %i.next, %n
  br i1 %e, label %loop, label %out
out:
  ret i32 %m
}
define void @unknown(ptr %p, i32 %n, i32 %b) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %m = call i32 @llvm.umin.i32(i32 %i, i32 %b)
  store volatile i32 %m, ptr %p
  %i.next = add nuw i32 %i, 1
  %e = icmp ult i32 %i.next, %n
  br i1 %e, label %loop, label %out
out:
  ret void
}
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
