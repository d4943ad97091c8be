; The nest of two logical loops with a header for each: what loop-simplify makes of one shared header.
; From loop-terminology.rst: Important Notes (the figure loop-separate.svg).

@count = global i32 0

define i32 @f(i32 %ni, i32 %nj) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %inner.more = icmp ult i32 %j, %nj
  br i1 %inner.more, label %inner.latch, label %inner.done

inner.latch:
  %c = load i32, ptr @count
  %c.next = add i32 %c, 1
  store i32 %c.next, ptr @count
  %j.next = add i32 %j, 1
  br label %inner

inner.done:
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %ni
  br i1 %outer.more, label %outer.latch, label %exit

outer.latch:
  br label %outer

exit:
  %r = load i32, ptr @count
  ret i32 %r
}
