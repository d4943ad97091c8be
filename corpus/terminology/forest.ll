; Two loops at top level, the second with a child: two trees in the forest of loops.
; From loop-terminology.rst: LoopInfo.

define i32 @f(i32 %n) {
entry:
  br label %a

a:
  %i = phi i32 [ 0, %entry ], [ %i.next, %a ]
  %i.next = add i32 %i, 2
  %a.more = icmp ult i32 %i.next, %n
  br i1 %a.more, label %a, label %mid

mid:
  br label %b

b:
  %j = phi i32 [ %i.next, %mid ], [ %j.next, %b.latch ]
  br label %c

c:
  %k = phi i32 [ 0, %b ], [ %k.next, %c ]
  %k.next = add i32 %k, 1
  %c.more = icmp ult i32 %k.next, %j
  br i1 %c.more, label %c, label %b.latch

b.latch:
  %j.next = sub i32 %j, %k.next
  %b.more = icmp ugt i32 %j.next, 1
  br i1 %b.more, label %b, label %exit

exit:
  ret i32 %j.next
}
