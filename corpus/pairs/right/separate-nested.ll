; One loop with a shared header separated into an outer and an inner loop.

define i32 @src(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i, %inner.latch ], [ %i.next, %outer.latch ]
  %x = phi i32 [ 3, %entry ], [ %x.half, %inner.latch ], [ %x.new, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %inner.latch ], [ %s.next, %outer.latch ]
  %s.next = add i32 %s, %x
  %go = icmp ugt i32 %x, 1
  br i1 %go, label %inner.latch, label %outer.test

inner.latch:
  %x.half = lshr i32 %x, 1
  br label %header

outer.test:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %outer.latch, label %exit

outer.latch:
  %x.new = add i32 %i.next, 1
  br label %header

exit:
  ret i32 %s.next
}

define i32 @tgt(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %x.ph = phi i32 [ 3, %entry ], [ %x.new, %outer.latch ]
  %s.ph = phi i32 [ 0, %entry ], [ %s.next.lcssa, %outer.latch ]
  br label %inner

inner:
  %x = phi i32 [ %x.ph, %outer ], [ %x.half, %inner.latch ]
  %s = phi i32 [ %s.ph, %outer ], [ %s.next, %inner.latch ]
  %s.next = add i32 %s, %x
  %go = icmp ugt i32 %x, 1
  br i1 %go, label %inner.latch, label %outer.test

inner.latch:
  %x.half = lshr i32 %x, 1
  br label %inner

outer.test:
  %s.next.lcssa = phi i32 [ %s.next, %inner ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %outer.latch, label %exit

outer.latch:
  %x.new = add i32 %i.next, 1
  br label %outer

exit:
  %r = phi i32 [ %s.next.lcssa, %outer.test ]
  ret i32 %r
}
