; early-exit-inversion
; A cycle with two entries in the idle part may run forever, even if the surrounding loop ends.
define void @f(ptr %p, i32 %a, i32 %n, i1 %u, i1 %v) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %a
  br i1 %c, label %then, label %else
then:
  store i32 %i, ptr %p
  br label %latch
else:
  br i1 %u, label %x, label %y
x:
  br i1 %v, label %y, label %latch
y:
  br i1 %v, label %x, label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %l = icmp uge i32 %i.next, %n
  br i1 %l, label %out, label %loop
out:
  ret void
}
