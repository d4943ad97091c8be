; The inner loop's preheader is the header of the outer loop, to be split before regions can be
; formed.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Loops pre-header massaging.

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %outer.latch ]
  br label %inner

inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner ]
  %t = phi i32 [ %s, %outer ], [ %s.next, %inner ]
  %s.next = add i32 %t, %j
  %j.next = add i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %n
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  ret i32 %s.next
}
