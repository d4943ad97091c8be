; loop-unroll<count=2;runtime>
; A switch exits the loop on two edges to one block; the countable branch is not tested in the main loop.
define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q
  switch i32 %v, label %latch [
    i32 3, label %out
    i32 5, label %out
  ]
latch:
  %i.next = add nuw i32 %i, 1
  %e = icmp ult i32 %i.next, %n
  br i1 %e, label %loop, label %out
out:
  %r = phi i32 [ %i, %loop ], [ %i, %loop ], [ 7, %latch ]
  ret i32 %r
}
