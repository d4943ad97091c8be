; loop-mssa(lnicm)
; The product is hoisted out of both loops at once. The sum depends on the outer loop and stays; licm alone would move
; it before the inner loop.
define void @f(i32 %n, i32 %x, ptr %p) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %product = mul i32 %x, %x
  %sum = add i32 %product, %i
  %at = getelementptr i32, ptr %p, i32 %j
  store i32 %sum, ptr %at
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %inner, label %latch

latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %outer, label %exit

exit:
  ret void
}
