; An inner loop without effect, which surely ends, is deleted from the outer one.

define void @src(i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner.preheader, label %exit

inner.preheader:
  br label %inner

inner:
  %j = phi i32 [ %i, %inner.preheader ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %m
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  call void @observe(i32 noundef %i)
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
  %more = icmp ult i32 %i, %n
  br i1 %more, label %outer.latch, label %exit

outer.latch:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

declare void @observe(i32 noundef)
