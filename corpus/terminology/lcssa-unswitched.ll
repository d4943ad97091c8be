; The loop in LCSSA form unswitched on c: the loop is copied and only the loop-closing phi X4 changes;
; n is at least 1 in effect, so the branch on c was reached anyway and needs no freeze.
; From loop-terminology.rst: Loop Closed SSA (LCSSA).

define i32 @src(i1 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  br i1 %c, label %then, label %else

then:
  %x1 = mul i32 %i, 3
  br label %join

else:
  %x2 = sub i32 100, %i
  br label %join

join:
  %x3 = phi i32 [ %x1, %then ], [ %x2, %else ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %x4 = phi i32 [ %x3, %join ]
  %use = add i32 %x4, 4
  ret i32 %use
}

define i32 @tgt(i1 %c, i32 %n) {
entry:
  br i1 %c, label %t.preheader, label %f.preheader

t.preheader:
  br label %t.loop

t.loop:
  %t.i = phi i32 [ 0, %t.preheader ], [ %t.i.next, %t.loop ]
  %x1 = mul i32 %t.i, 3
  %t.i.next = add i32 %t.i, 1
  %t.more = icmp ult i32 %t.i.next, %n
  br i1 %t.more, label %t.loop, label %t.exit

t.exit:
  %x1.lcssa = phi i32 [ %x1, %t.loop ]
  br label %exit

f.preheader:
  br label %f.loop

f.loop:
  %f.i = phi i32 [ 0, %f.preheader ], [ %f.i.next, %f.loop ]
  %x2 = sub i32 100, %f.i
  %f.i.next = add i32 %f.i, 1
  %f.more = icmp ult i32 %f.i.next, %n
  br i1 %f.more, label %f.loop, label %f.exit

f.exit:
  %x2.lcssa = phi i32 [ %x2, %f.loop ]
  br label %exit

exit:
  %x4 = phi i32 [ %x1.lcssa, %t.exit ], [ %x2.lcssa, %f.exit ]
  %use = add i32 %x4, 4
  ret i32 %use
}
