; loop-unroll-full
; A million iterations are too many.
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add i32 %i, 1
  %e = icmp eq i32 %i.next, 1000000
  br i1 %e, label %out, label %loop
out:
  ret void
}
