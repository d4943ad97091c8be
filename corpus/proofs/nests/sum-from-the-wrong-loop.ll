; The phi behind the inner loop takes the sum that the outer iteration began with.
; Wrong for n = 1 and m = 1: the source returns 1, the target 0.

define i32 @src(i32 noundef %n, i32 noundef %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %s.lcssa, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %t.next = add i32 %t, 1
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %s.lcssa = phi i32 [ %t, %inner ]
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
  %s = phi i32 [ 0, %entry ], [ %s.lcssa, %outer.latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner, label %exit

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.body ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %m
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %t.next = add i32 %t, 1
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %s.lcssa = phi i32 [ %s, %inner ]
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret i32 %s
}
