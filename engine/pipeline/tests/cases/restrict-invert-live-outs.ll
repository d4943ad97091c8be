; early-exit-inversion
; A sum that idle iterations leave unchanged, and a counter with a known exit value.
define i32 @f(ptr %p, i32 %a, i32 %n) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %c = icmp ult i32 %i, %a
  br i1 %c, label %then, label %latch
then:
  %v = load i32, ptr %p
  %s.sum = add i32 %s, %v
  br label %latch
latch:
  %s.next = phi i32 [ %s.sum, %then ], [ %s, %loop ]
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  %r = add i32 %s.next, %i.next
  ret i32 %r
}
