; Each construct of the hierarchy: loop, if, switch, label and goto (a jump out of the switch to the
; end of the iteration) in one region.
; From hir-ddrefs.rst: HIR Hierarchy.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  switch i8 %v, label %default [
    i8 0, label %latch
    i8 1, label %one
    i8 2, label %two
  ]

one:
  %s.one = add i32 %s, 1
  br label %latch

two:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %latch, label %default

default:
  %k = phi i32 [ 100, %body ], [ 10, %two ]
  %s.default = add i32 %s, %k
  br label %latch

latch:
  %s.next = phi i32 [ %s, %body ], [ %s.one, %one ], [ %s, %two ], [ %s.default, %default ]
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

; The phis of the latch are written at once: %sum and %last wait for one another, and %sum for what is behind %read too.
define i8 @phis_in_a_cycle(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %before = phi i8 [ 0, %entry ], [ %read, %loop ]
  %sum = phi i8 [ 1, %entry ], [ %sum.next, %loop ]
  %last = phi i8 [ 2, %entry ], [ %sum, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %read = load i8, ptr %at
  %sum.next = add i8 %last, %before
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %sum
}
