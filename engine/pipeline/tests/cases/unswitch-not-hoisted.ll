; loop-mssa(simple-loop-unswitch<nontrivial>)
; The condition of the header is invariant although it is computed in the loop: it is computed before the loop.
define void @f(i32 %x, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %y = mul i32 %x, 3
  %c = icmp sgt i32 %y, 10
  br i1 %c, label %then, label %latch
then:
  store volatile i32 %i, ptr %p
  br label %latch
latch:
  store volatile i32 7, ptr %p
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @seen(i32 %x, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp sgt i32 %x, 10
  store volatile i32 %i, ptr %p
  br i1 %c, label %then, label %latch
then:
  store volatile i32 9, ptr %p
  br label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @divides(i32 %x, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %d = udiv i32 7, %x
  %c = icmp eq i32 %d, 1
  br i1 %c, label %then, label %latch
then:
  store volatile i32 %i, ptr %p
  br label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
