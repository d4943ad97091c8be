; A fill in a loop with two exits. Where one of them is taken at a byte of %key, how many bytes are filled is not known in
; front of the loop, and the store stays. Where both are counted, the number of bytes is the lesser of the two counts,
; and the fill is a call.

define i32 @search(ptr noundef dereferenceable(8) %p, ptr noundef dereferenceable(8) %key) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %k = getelementptr inbounds i8, ptr %key, i64 %i
  %v = load i8, ptr %k
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %exit, label %latch

latch:
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 0, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 8
  br i1 %more, label %loop, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @counted(i64 %n) {
entry:
  %p = alloca i32
  store i32 -1, ptr %p
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 0, ptr %at
  %stop = icmp eq i64 %i, %n
  br i1 %stop, label %exit, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %loop, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}
