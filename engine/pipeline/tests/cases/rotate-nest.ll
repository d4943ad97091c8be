; loop-rotate
; The inner header exits both loops: the outer loop's exits stay dedicated, too.
define void @f(i32 %n, i32 %m, i1 %d) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %inner, label %exit
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %e = icmp slt i32 %j, %m
  br i1 %e, label %inner.body, label %exit
inner.body:
  br i1 %d, label %inner.latch, label %outer.latch
inner.latch:
  %j.next = add i32 %j, 1
  br label %inner
outer.latch:
  %i.next = add i32 %i, 1
  br label %outer
exit:
  ret void
}
