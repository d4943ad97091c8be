; loop-deletion
; The inner cycle may repeat before the backedge is taken, so a single visit of its blocks proves nothing.
define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %a, label %b
a:
  %x = phi i32 [ 0, %loop ], [ %y.next, %b ]
  %x.next = add i32 %x, 1
  br label %b
b:
  %y = phi i32 [ 1, %loop ], [ %x.next, %a ]
  %y.next = add i32 %y, %i
  %more = icmp ult i32 %y.next, 3
  br i1 %more, label %a, label %latch
latch:
  %i.next = add i32 %i, 1
  %loop.more = icmp ult i32 %i.next, %n
  br i1 %loop.more, label %loop, label %exit
exit:
  ret i32 %y.next
}
