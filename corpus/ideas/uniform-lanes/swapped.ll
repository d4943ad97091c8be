; Two values that change places in each iteration alternate as an xor recurrence does: unrolled by two, each lane has one
; of them; peeled by two, what is computed from them is known in front of the loop.
; From loop-opt-ideas.rst: Uniform Lanes, with a swap in place of the xor.

define i32 @lanes(i32 %n, i32 %u, i32 %v) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %a = phi i32 [ %u, %entry ], [ %b, %loop ]
  %b = phi i32 [ %v, %entry ], [ %a, %loop ]
  %x = mul i32 %a, %u
  %y = xor i32 %x, %b
  %z = shl i32 %y, 3
  %t = mul i32 %s, 3
  %s.next = add i32 %t, %z
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
