; Two logical loops over i and j that share one header are a single loop until loop-simplify separates
; them.
; From loop-terminology.rst: Important Notes (the figure loop-merge.svg).
;
; The bounds are arguments and not 128 so that few iterations suffice.

@count = global i32 0

define i32 @f(i32 %ni, i32 %nj) {
entry:
  br label %for.cond

for.cond:
  %i = phi i32 [ 0, %entry ], [ %i, %inner.latch ], [ %i.next, %outer.latch ]
  %j = phi i32 [ 0, %entry ], [ %j.next, %inner.latch ], [ 0, %outer.latch ]
  %inner.more = icmp ult i32 %j, %nj
  br i1 %inner.more, label %inner.latch, label %inner.done

inner.latch:
  %c = load i32, ptr @count
  %c.next = add i32 %c, 1
  store i32 %c.next, ptr @count
  %j.next = add i32 %j, 1
  br label %for.cond

inner.done:
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %ni
  br i1 %outer.more, label %outer.latch, label %exit

outer.latch:
  br label %for.cond

exit:
  %r = load i32, ptr @count
  ret i32 %r
}
