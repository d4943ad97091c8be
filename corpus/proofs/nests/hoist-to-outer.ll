; A product of the outer counter is hoisted out of the inner loop into the outer one.

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
  %x = mul i32 %i, %a
  %y = xor i32 %x, %j
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
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner.preheader, label %exit

inner.preheader:
  %x = mul i32 %i, %a
  br label %inner

inner:
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %y = xor i32 %x, %j
  call void @observe(i32 noundef %y)
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

declare void @observe(i32 noundef)
