; The exit of one loop is the preheader of the next.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Loop single exit massaging.

define i32 @f(i32 %n) {
entry:
  br label %first

first:
  %i = phi i32 [ 0, %entry ], [ %i.next, %first ]
  %i.next = add i32 %i, 1
  %first.more = icmp ult i32 %i.next, %n
  br i1 %first.more, label %first, label %between

between:
  %i.lcssa = phi i32 [ %i.next, %first ]
  br label %second

second:
  %j = phi i32 [ %i.lcssa, %between ], [ %j.next, %second ]
  %s = phi i32 [ 0, %between ], [ %s.next, %second ]
  %s.next = add i32 %s, %j
  %j.next = sub i32 %j, 1
  %second.done = icmp eq i32 %j.next, 0
  br i1 %second.done, label %exit, label %second

exit:
  ret i32 %s.next
}
