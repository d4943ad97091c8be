; loop-rotate
; A test that stays a thousand times and exits once: the guard is nearly always passed, and the latch compensates.
define i32 @mostly(i32 %n, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %b ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %b, label %x, !prof !0
b:
  store volatile i32 %i, ptr %p
  %j = add i32 %i, 1
  br label %h
x:
  ret i32 %i
}
; Fewer iterations than entries: no run has two.
define i32 @seldom(i32 %n, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %b ]
  %c = icmp sge i32 %i, %n
  br i1 %c, label %x, label %b, !prof !1
b:
  store volatile i32 %i, ptr %p
  %j = add i32 %i, 1
  br label %h
x:
  ret i32 %i
}
; The loop is known to be entered: the first iteration needs no test.
define i32 @entered(ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %b ]
  %c = icmp slt i32 %i, 1000
  br i1 %c, label %b, label %x, !prof !0
b:
  store volatile i32 %i, ptr %p
  %j = add i32 %i, 1
  br label %h
x:
  ret i32 %i
}
; With another exit, the loop is left here less often than it is entered.
define i32 @exits(i32 %n, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %b, label %x, !prof !0
b:
  %v = load volatile i32, ptr %p
  %d = icmp eq i32 %v, 0
  br i1 %d, label %y, label %l
l:
  %j = add i32 %i, 1
  br label %h
x:
  ret i32 %i
y:
  ret i32 7
}
!0 = !{!"branch_weights", i32 1000, i32 1}
!1 = !{!"branch_weights", i32 990, i32 10}
