; iteration-set-split<multiple=4>
; The first loop executes a multiple of four iterations, like one to be unrolled; it tests neither exit.
define i32 @f(ptr %a, i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %stop = icmp eq i32 %i, %m
  br i1 %stop, label %out, label %latch
latch:
  %q = getelementptr i32, ptr %a, i32 %i
  store i32 %i, ptr %q
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  %r = phi i32 [ 1, %loop ], [ 2, %latch ]
  ret i32 %r
}
