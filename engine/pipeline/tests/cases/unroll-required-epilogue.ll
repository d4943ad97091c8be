; loop-unroll<count=2;runtime>
; Two countable exits share an exit block with a phi: the main loop tests neither.
define i32 @f(i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %e1 = icmp eq i32 %i, %n
  br i1 %e1, label %out, label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %e2 = icmp eq i32 %i.next, %m
  br i1 %e2, label %out, label %loop
out:
  %r = phi i32 [ %i, %loop ], [ 7, %latch ]
  ret i32 %r
}
