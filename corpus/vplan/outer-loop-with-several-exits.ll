; The outermost loop has several exits that land in different blocks with a common postdominator.
; From vplan-hcfg-builder.rst: Build Plain CFG.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %exit.zero, label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %w
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %j.lcssa = phi i32 [ %j.next, %inner ]
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit.end

exit.zero:
  %i.lcssa = phi i32 [ %i, %outer ]
  br label %join

exit.end:
  %j.last = phi i32 [ %j.lcssa, %outer.latch ]
  br label %join

join:
  %r = phi i32 [ %i.lcssa, %exit.zero ], [ %j.last, %exit.end ]
  ret i32 %r
}
