; Work before and after the inner loop inside the outer one.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %at = getelementptr inbounds i32, ptr %p, i32 %i
  %limit = load i32, ptr %at
  store i32 0, ptr %at
  %some = icmp ugt i32 %limit, 0
  br i1 %some, label %inner, label %outer.latch

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %v = load i32, ptr %at
  %v.next = add i32 %v, %j
  store i32 %v.next, ptr %at
  %j.next = add nuw i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %limit
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %sum = load i32, ptr %at
  %sum.1 = add i32 %sum, 1
  store i32 %sum.1, ptr %at
  %i.next = add nuw i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  ret i32 %sum.1
}
