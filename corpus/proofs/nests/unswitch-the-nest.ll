; A branch in the inner loop is taken out of the whole nest, on a frozen condition; the other version has nothing left
; to do.

define void @src(i32 noundef %n, i32 noundef %m, i1 %c) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  br i1 %c, label %then, label %inner.latch

then:
  %y = add i32 %i, %j
  call void @observe(i32 noundef %y)
  br label %inner.latch

inner.latch:
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret void
}

define void @tgt(i32 noundef %n, i32 noundef %m, i1 %c) {
entry:
  %c.fr = freeze i1 %c
  br i1 %c.fr, label %outer, label %exit

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
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

declare void @observe(i32 noundef)
