; iteration-set-split
; The branch in the loop has the same outcome up to iteration %a - 1: the first loop takes one successor, the second
; loop the other.
define void @f(ptr %p, i32 %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %i.next, %latch ]
  %c = icmp slt i32 %i, %a
  br i1 %c, label %then, label %latch
then:
  store i32 %i, ptr %p
  br label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
