; indvars
; The exit in the latch depends on memory: the exit value is unknown there, but it is known on the other edge.
define i64 @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %c1 = icmp ult i64 %i, 50
  br i1 %c1, label %latch, label %out
latch:
  %i.next = add i64 %i, 1
  %x = load volatile i8, ptr %p
  %c2 = icmp eq i8 %x, 0
  br i1 %c2, label %loop, label %out
out:
  %v = phi i64 [ %i, %loop ], [ %i.next, %latch ]
  ret i64 %v
}
