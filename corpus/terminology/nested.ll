; Two loops nested in an outer one, one after the other: the loops of a function form a forest.
; From loop-terminology.rst: Important Notes (the figure loop-nested.svg).

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %s.out, %outer.latch ]
  br label %first

first:
  %j = phi i32 [ 0, %outer ], [ %j.next, %first ]
  %s1 = phi i32 [ %s, %outer ], [ %s1.next, %first ]
  %s1.next = add i32 %s1, %j
  %j.next = add i32 %j, 1
  %first.more = icmp ule i32 %j.next, %i
  br i1 %first.more, label %first, label %between

between:
  %s1.lcssa = phi i32 [ %s1.next, %first ]
  br label %second

second:
  %k = phi i32 [ %i, %between ], [ %k.next, %second.body ]
  %s2 = phi i32 [ %s1.lcssa, %between ], [ %s2.next, %second.body ]
  %second.more = icmp ne i32 %k, 0
  br i1 %second.more, label %second.body, label %outer.latch

second.body:
  %s2.next = xor i32 %s2, %k
  %k.next = add i32 %k, -1
  br label %second

outer.latch:
  %s.out = phi i32 [ %s2, %second ]
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  %r = phi i32 [ %s.out, %outer.latch ]
  ret i32 %r
}
