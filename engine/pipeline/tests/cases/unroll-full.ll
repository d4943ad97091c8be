; loop-unroll
; Three iterations; the exit in the middle can be taken only in the last one.
declare void @g(i32)
define i32 @f() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @g(i32 %i)
  %e1 = icmp eq i32 %i, 2
  br i1 %e1, label %out, label %latch
latch:
  %i.next = add i32 %i, 1
  %e2 = icmp eq i32 %i.next, 9
  br i1 %e2, label %out, label %loop
out:
  %r = phi i32 [ %i, %loop ], [ 7, %latch ]
  ret i32 %r
}
