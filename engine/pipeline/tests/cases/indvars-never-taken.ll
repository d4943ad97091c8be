; indvars
; The second exit would be taken only at %i = 20, and the first one is taken at 10.
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  store volatile i32 %i, ptr %p
  %c1 = icmp eq i32 %i, 10
  br i1 %c1, label %out, label %mid
mid:
  %c2 = icmp eq i32 %i, 20
  br i1 %c2, label %out, label %latch
latch:
  %i.next = add i32 %i, 1
  br label %loop
out:
  ret void
}
