; The smallest irreducible cycle: two blocks that jump to each other and are both entered from
; outside.
; From loop-terminology.rst: Important Notes (the figure loop-irreducible.svg).

define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b

a:
  %x = phi i32 [ 0, %entry ], [ %y.next, %b ]
  %x.next = add i32 %x, 1
  br label %b

b:
  %y = phi i32 [ 100, %entry ], [ %x.next, %a ]
  %y.next = add i32 %y, 10
  %more = icmp ult i32 %y.next, %n
  br i1 %more, label %a, label %exit

exit:
  ret i32 %y.next
}
