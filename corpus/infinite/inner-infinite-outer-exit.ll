; An inner cycle without exit of its own cannot exist inside an outer loop; here the inner loop leaves
; only to the outer header.

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %inner ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %inner.preheader, label %exit

inner.preheader:
  %i.next = add i32 %i, 1
  br label %inner

inner:
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  %inner.more = icmp ult i32 %j.next, 2
  br i1 %inner.more, label %inner, label %outer

exit:
  ret i32 %i
}
