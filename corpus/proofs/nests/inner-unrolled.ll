; The inner loop of a nest that sums answers is unrolled by two, both exit tests kept.

define i32 @src(i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %t, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %v = call noundef i32 @answer(i32 noundef %j)
  %t.next = add i32 %t, %v
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret i32 %s
}

define i32 @tgt(i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %t.lcssa, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.2, %inner.body.1 ]
  %t = phi i32 [ %s, %outer ], [ %t.2, %inner.body.1 ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %v = call noundef i32 @answer(i32 noundef %j)
  %t.1 = add i32 %t, %v
  %j.1 = add nuw i32 %j, 1
  %inner.more.1 = icmp ult i32 %j.1, %m
  br i1 %inner.more.1, label %inner.body.1, label %outer.latch

inner.body.1:
  %v.1 = call noundef i32 @answer(i32 noundef %j.1)
  %t.2 = add i32 %t.1, %v.1
  %j.2 = add nuw i32 %j, 2
  br label %inner

outer.latch:
  %t.lcssa = phi i32 [ %t, %inner ], [ %t.1, %inner.body ]
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret i32 %s
}

declare noundef i32 @answer(i32 noundef)
