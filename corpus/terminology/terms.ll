; A loop with every role that the terminology names: entering block that is the preheader, header,
; latch, backedge, two exiting edges and two exit blocks.
; From loop-terminology.rst: Terminology (the figure loop-terminology.svg).

define i32 @f(i32 %n, i32 %stop) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %preheader, label %none

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %latch ]
  %hit = icmp eq i32 %i, %stop
  br i1 %hit, label %exit.early, label %body

body:
  %i.next = add i32 %i, 1
  br label %latch

latch:
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %header, label %exit.done

exit.early:
  ret i32 %i

exit.done:
  ret i32 -1

none:
  ret i32 -2
}
