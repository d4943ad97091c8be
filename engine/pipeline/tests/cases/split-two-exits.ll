; iteration-set-split
; Two exits are countable: the second loop, where the comparison is invariant, always executes the last iteration.
define i32 @f(ptr %p, i32 %a, i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = icmp eq i32 %i, %m
  br i1 %x, label %out, label %body
body:
  %c = icmp ult i32 %i, %a
  br i1 %c, label %then, label %latch
then:
  store i32 %i, ptr %p
  br label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  %r = phi i32 [ %i, %loop ], [ 3, %latch ]
  ret i32 %r
}
