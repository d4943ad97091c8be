; The index i·m + j of a nest becomes one recurrence that steps by m with the outer loop and by 1 with the inner one.

define void @src(i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %row = mul i32 %i, %m
  %at = add i32 %row, %j
  call void @observe(i32 noundef %at)
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

define void @tgt(i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %row = phi i32 [ 0, %entry ], [ %row.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %at = phi i32 [ %row, %outer ], [ %at.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  call void @observe(i32 noundef %at)
  %j.next = add nuw i32 %j, 1
  %at.next = add i32 %at, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  %row.next = add i32 %row, %m
  br label %outer

exit:
  ret void
}

declare void @observe(i32 noundef)
