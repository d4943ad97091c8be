; loop-unroll<count=4>
; 101 iterations: the exit is tested in one copy of four.
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load volatile i32, ptr %p
  %i.next = add i32 %i, 1
  %e = icmp eq i32 %i.next, 101
  br i1 %e, label %out, label %loop
out:
  ret void
}
