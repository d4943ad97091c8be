; The inner loop's bound is the outer loop's counter; both are top-tested.

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %c = phi i32 [ 0, %entry ], [ %d, %outer.latch ]
  %outer.more = icmp ult i32 %i, %n
  br i1 %outer.more, label %inner.preheader, label %exit

inner.preheader:
  br label %inner

inner:
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner.body ]
  %d = phi i32 [ %c, %inner.preheader ], [ %d.next, %inner.body ]
  %inner.more = icmp ult i32 %j, %i
  br i1 %inner.more, label %inner.body, label %outer.latch

inner.body:
  %d.next = add i32 %d, 1
  %j.next = add nuw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nuw i32 %i, 1
  br label %outer

exit:
  ret i32 %c
}
