; What is the least or greatest of a counter and a bound is one of the two from some iteration on: the iterations before
; are peeled. Where nobody knows from which on, nothing is.

define i32 @least(i32 %n, i32 %m) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %least = call i32 @llvm.umin.i32(i32 %i, i32 2)
  %x = mul i32 %least, %m
  %s.next = add i32 %s, %x
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

define i32 @greatest(i32 %n, ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ -1, %entry ], [ %i.next, %loop ]
  %greatest = call i32 @llvm.smax.i32(i32 1, i32 %i)
  store volatile i32 %greatest, ptr %p
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %greatest
}

define i32 @unknown(i32 %n, i32 %b, ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %least = call i32 @llvm.umin.i32(i32 %i, i32 %b)
  store volatile i32 %least, ptr %p
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %least
}

declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
