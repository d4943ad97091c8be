; loop-peel
; The outcome of the comparison is constant after two iterations.
define void @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, 2
  br i1 %c, label %then, label %latch
then:
  store volatile i32 %i, ptr %p
  br label %latch
latch:
  store volatile i32 7, ptr %p
  %i.next = add nuw i32 %i, 1
  %e = icmp ult i32 %i.next, %n
  br i1 %e, label %loop, label %out
out:
  ret void
}
