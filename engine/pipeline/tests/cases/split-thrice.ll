; iteration-set-split
; Two comparisons that change once: three loops in sequence.
define void @f(ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %q = getelementptr i32, ptr %a, i32 %i
  %early = icmp ult i32 %i, 100
  br i1 %early, label %first, label %middle
first:
  store i32 1, ptr %q
  br label %middle
middle:
  %late = icmp ugt i32 %i, 200
  br i1 %late, label %last, label %latch
last:
  store i32 2, ptr %q
  br label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
