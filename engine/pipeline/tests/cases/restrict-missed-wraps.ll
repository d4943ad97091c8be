; early-exit-inversion
; The counter may wrap, so the condition may hold again.
define void @f(ptr %p, i32 %a, i32 %n) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i32 [ 5, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %a
  br i1 %c, label %then, label %latch
then:
  store i32 %i, ptr %p
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
