; k = i + j has a use in the inner loop and one outside of it, where it is an induction variable of
; the outer loop alone; LCSSA gives the second use a phi of its own.
; From loop-terminology.rst: Loop Closed SSA (LCSSA).
;
; The bounds are arguments in place of 100; use 1 and use 2 add to two sums.

define i32 @f(i32 %ni, i32 %nj) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %use1 = phi i32 [ 0, %entry ], [ %use1.out, %outer.latch ]
  %use2 = phi i32 [ 0, %entry ], [ %use2.next, %outer.latch ]
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %u = phi i32 [ %use1, %outer ], [ %u.next, %inner ]
  %k = add i32 %i, %j
  %u.next = add i32 %u, %k
  %j.next = add i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %nj
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %use1.out = phi i32 [ %u.next, %inner ]
  %use2.next = add i32 %use2, %k
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %ni
  br i1 %outer.more, label %outer, label %exit

exit:
  %shifted = shl i32 %use2.next, 8
  %r = or i32 %shifted, %use1.out
  ret i32 %r
}
