; The preheader of the inner loop has two predecessors, to be split so that the region of the loop has an entry of its own.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Loops pre-header massaging.

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %t.next, %outer.latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %inner.preheader

then:
  %twice = mul i32 %i, 2
  br label %inner.preheader

inner.preheader:
  %start = phi i32 [ %i, %outer ], [ %twice, %then ]
  br label %inner

inner:
  %j = phi i32 [ %start, %inner.preheader ], [ %j.next, %inner ]
  %t = phi i32 [ %s, %inner.preheader ], [ %t.next, %inner ]
  %t.next = add i32 %t, %j
  %j.next = add i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %n
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  ret i32 %t.next
}
