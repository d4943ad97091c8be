; The inner loop is left to the outer one first, and behind that out of both: the cascade asks for the exit that is furthest
; outside first, so that all of its blocks are in the outer loop.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Multiple-exit-to-single-exit loop massaging.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %s.end, %outer.latch ]
  br label %inner

inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner.latch ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %inner.latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %j
  %v = load i8, ptr %at
  %next = icmp eq i8 %v, 1
  br i1 %next, label %skipped, label %test

test:
  %stop = icmp eq i8 %v, 2
  br i1 %stop, label %stopped, label %inner.latch

inner.latch:
  %w = zext i8 %v to i32
  %t.next = add i32 %t, %w
  %j.next = add i32 %j, 1
  %inner.more = icmp ult i32 %j.next, %n
  br i1 %inner.more, label %inner, label %inner.end

skipped:
  %s.skipped = phi i32 [ %t, %inner ]
  br label %outer.latch

inner.end:
  %s.inner = phi i32 [ %t.next, %inner.latch ]
  br label %outer.latch

outer.latch:
  %s.end = phi i32 [ %s.skipped, %skipped ], [ %s.inner, %inner.end ]
  %i.next = add i32 %i, 1
  %outer.more = icmp ult i32 %i.next, %n
  br i1 %outer.more, label %outer, label %end

stopped:
  %s.stopped = phi i32 [ %t, %test ]
  %negative = sub i32 0, %s.stopped
  ret i32 %negative

end:
  %r = phi i32 [ %s.end, %outer.latch ]
  ret i32 %r
}
