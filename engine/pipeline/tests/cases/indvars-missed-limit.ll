; indvars
; %j is used only by the test, but computing the trip count needs a division by the step.
define void @f(ptr %p, i64 noundef %n, i64 noundef %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i64 [ %s, %entry ], [ %j.next, %loop ]
  store volatile i64 %i, ptr %p
  %i.next = add i64 %i, 1
  %j.next = add nuw i64 %j, 7
  %c = icmp ult i64 %j.next, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}
