; An exit out of both loops of a nest is made one out of the inner loop.
; Wrong for n = 3 and k = 0, where the first answer is 0: the source returns 0 after it, the target asks on.

define i32 @src(i32 noundef %n, i32 noundef %k) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %inner.more = icmp ult i32 %j, %i
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %v = call noundef i32 @answer(i32 noundef %j)
  %hit = icmp eq i32 %v, %k
  br i1 %hit, label %found, label %inner.latch

inner.latch:
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

found:
  ret i32 %j

exit:
  ret i32 -1
}

define i32 @tgt(i32 noundef %n, i32 noundef %k) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %inner.more = icmp ult i32 %j, %i
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %v = call noundef i32 @answer(i32 noundef %j)
  %hit = icmp eq i32 %v, %k
  br i1 %hit, label %outer.latch, label %inner.latch

inner.latch:
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret i32 -1
}

declare noundef i32 @answer(i32 noundef)
