; An exit out of both loops of a triangular nest goes by way of the outer latch, with a flag that says so.

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
  br i1 %inner.more, label %inner.body, label %outer.check

inner.body:
  %v = call noundef i32 @answer(i32 noundef %j)
  %hit = icmp eq i32 %v, %k
  br i1 %hit, label %outer.check, label %inner.latch

inner.latch:
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.check:
  %found = phi i1 [ false, %inner ], [ true, %inner.body ]
  br i1 %found, label %found.exit, label %outer.latch

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

found.exit:
  ret i32 %j

exit:
  ret i32 -1
}

declare noundef i32 @answer(i32 noundef)
