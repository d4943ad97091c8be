; iteration-set-split<at=3>
; The first loop executes at most three iterations.
define void @f(ptr %p, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i8 %i, ptr %p
  %i.next = add i8 %i, 1
  %e = icmp eq i8 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
