; An outer loop and an inner loop with a further cycle between them that is entered at two blocks.
; From loop-terminology.rst: Important Notes.

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %p, label %q

p:
  %x = phi i32 [ 0, %outer ], [ %y, %q ]
  br label %inner

inner:
  %k = phi i32 [ %x, %p ], [ %k.next, %inner ]
  %k.next = add i32 %k, 1
  %inner.more = icmp ult i32 %k.next, 2
  br i1 %inner.more, label %inner, label %q

q:
  %y = phi i32 [ 1, %outer ], [ %k.next, %inner ]
  %q.more = icmp ult i32 %y, 3
  br i1 %q.more, label %p, label %outer.latch

outer.latch:
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  ret i32 %y
}
