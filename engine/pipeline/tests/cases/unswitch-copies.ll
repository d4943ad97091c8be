; simple-loop-unswitch<nontrivial>
; One copy of the loop per outcome: of a branch that need not be reached, and of one that is; of parts of a conjunction;
; of a select; of a switch with a value of its own; of a loop where one copy leaves the surrounding loop.
declare void @effect(i32)

define void @branch(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @effect(i32 %i)
  br i1 %c, label %a, label %b
a:
  call void @effect(i32 1)
  br label %latch
b:
  %w = zext i1 %c to i32
  call void @effect(i32 %w)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}

define i32 @certain(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %a, label %latch
a:
  call void @effect(i32 1)
  br label %latch
latch:
  %p = phi i32 [ 0, %header ], [ %i, %a ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out, !llvm.loop !0
out:
  %r = phi i32 [ %p, %latch ]
  ret i32 %r
}

define i32 @parts(i1 %c, i1 %d, ptr %p, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = load i32, ptr %p
  %zero = icmp eq i32 %v, 0
  %x = and i1 %zero, %c
  %y = select i1 %x, i1 %d, i1 false
  br i1 %y, label %a, label %latch
a:
  call void @effect(i32 1)
  %stop = icmp eq i32 %i, 3
  br i1 %stop, label %early, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
early:
  ret i32 %i
out:
  ret i32 %next
}

define i32 @select(i1 %c, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %header ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %header ]
  %step = select i1 %c, i32 %i, i32 5
  %s.next = add i32 %s, %step
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret i32 %s.next
}

define i32 @switch(i32 %s, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  call void @effect(i32 %i)
  switch i32 %s, label %latch [
    i32 1, label %one
    i32 2, label %out
    i32 3, label %latch
  ]
one:
  call void @effect(i32 %s)
  br label %latch
latch:
  %p = phi i32 [ %i, %header ], [ %i, %header ], [ 9, %one ]
  %next = add i32 %i, %p
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  %r = phi i32 [ %i, %header ], [ %p, %latch ]
  ret i32 %r
}

define i32 @nest(i1 %c, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner.latch ]
  call void @effect(i32 %j)
  br i1 %c, label %stop, label %inner.latch
stop:
  %last = icmp ugt i32 %j, 100
  br i1 %last, label %out, label %stop
inner.latch:
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %inner, label %outer.latch
outer.latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %outer, label %out
out:
  %r = phi i32 [ %j, %stop ], [ -1, %outer.latch ]
  ret i32 %r
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}

; Unreached branches get an unreachable target.
define i4 @unreached(i1 %a, i1 %b) {
entry:
  br label %b1
b1:
  br i1 %b, label %b2, label %b3
b2:
  store i4 0, ptr null
  br label %b3
b3:
  br i1 %a, label %b4, label %b5
b4:
  ret i4 0
b5:
  br i1 %a, label %b6, label %b1
never:
  br label %b6
b6:
  ret i4 1
}
