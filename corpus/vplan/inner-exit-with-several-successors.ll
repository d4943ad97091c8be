; The single exit of the first inner loop branches, that of the second is the preheader of the third, so both have to be
; split before they can be exits of regions.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Loop single exit massaging.

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %first.preheader

first.preheader:
  br label %first

first:
  %j = phi i32 [ 0, %first.preheader ], [ %j.next, %first ]
  %j.next = add i32 %j, 3
  %first.more = icmp ult i32 %j.next, %i
  br i1 %first.more, label %first, label %first.exit

first.exit:
  %even = icmp eq i32 %j.next, 6
  br i1 %even, label %second.preheader, label %outer.latch

second.preheader:
  br label %second

second:
  %k = phi i32 [ %j.next, %second.preheader ], [ %k.next, %second ]
  %k.next = sub i32 %k, 2
  %second.done = icmp eq i32 %k.next, 0
  br i1 %second.done, label %between, label %second

between:
  br label %third

third:
  %m = phi i32 [ 0, %between ], [ %m.next, %third ]
  %m.next = add i32 %m, 1
  %third.more = icmp ult i32 %m.next, %n
  br i1 %third.more, label %third, label %third.exit

third.exit:
  br label %outer.latch

outer.latch:
  %r = phi i32 [ %j.next, %first.exit ], [ %m.next, %third.exit ]
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  ret i32 %r
}
