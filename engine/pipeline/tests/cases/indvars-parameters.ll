; loop(indvars<no-exit-values;no-exit-tests>)
; Both parts are disabled.
define i64 @f(ptr %p, i64 noundef %n) {
entry:
  %g = icmp sgt i64 %n, 0
  br i1 %g, label %ph, label %none
ph:
  br label %loop
loop:
  %i = phi i64 [ 0, %ph ], [ %i.next, %latch ]
  %j = phi i64 [ 7, %ph ], [ %j.next, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %a
  %c1 = icmp ult i64 %i, 5
  br i1 %c1, label %latch, label %out
latch:
  %i.next = add i64 %i, 1
  %j.next = add i64 %j, 1
  %c2 = icmp slt i64 %i.next, %n
  br i1 %c2, label %loop, label %out
out:
  %v = phi i64 [ %j, %loop ], [ %j.next, %latch ]
  ret i64 %v
none:
  ret i64 0
}
