; Both loops of a nest are rotated; each has its guard.

define void @src(i32 noundef %n, i32 noundef %m, i32 noundef %a) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner.preheader, label %exit

inner.preheader:
  br label %inner

inner:
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %y = add i32 %i, %j
  call void @observe(i32 noundef %y)
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

define void @tgt(i32 noundef %n, i32 noundef %m, i32 noundef %a) {
entry:
  %some = icmp ult i32 0, %n
  br i1 %some, label %outer, label %exit

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %inner.some = icmp ult i32 0, %m
  br i1 %inner.some, label %inner, label %outer.latch

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %y = add i32 %i, %j
  call void @observe(i32 noundef %y)
  %j.next = add nuw i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %m
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

declare void @observe(i32 noundef)
