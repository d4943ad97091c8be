; loop-peel<last>
; Code of only the last iteration executes after the loop.
define i32 @f(ptr %p, i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  store volatile i32 %i, ptr %p
  %x = icmp eq i32 %i, %m
  br i1 %x, label %out, label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}
