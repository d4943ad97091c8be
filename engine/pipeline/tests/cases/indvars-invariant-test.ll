; indvars
; %i only increases, and the loop continues only if it is above %k: the test has the outcome of the first iteration.
define void @f(ptr %p, i32 noundef %s, i32 noundef %k, i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %s, %entry ], [ %i.next, %latch ]
  %c1 = icmp sgt i32 %i, %k
  br i1 %c1, label %latch, label %out
latch:
  store volatile i32 %i, ptr %p
  %i.next = add nsw i32 %i, 1
  %c2 = icmp slt i32 %i.next, %n
  br i1 %c2, label %loop, label %out2
out:
  call void @g()
  ret void
out2:
  ret void
}
declare void @g()
