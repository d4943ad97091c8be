; A shared header where the inner path keeps the outer phi unchanged: loop-simplify separates the two
; loops as the terminology's example asks.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i, %inner.latch ], [ %i.next, %outer.latch ]
  %x = phi i32 [ 7, %entry ], [ %x.half, %inner.latch ], [ %x.new, %outer.latch ]
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
