; function(loop-simplify,lcssa),indvars
; Two counters are compared with each other, and both are widened: the comparison uses the wide values.
define void @f(ptr %a, i32 %n) {
entry:
  %e = icmp sgt i32 %n, 1
  br i1 %e, label %loop.ph, label %out
loop.ph:
  %last = add nsw i32 %n, -1
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.ph ], [ %i.next, %loop ]
  %j = phi i32 [ %last, %loop.ph ], [ %j.next, %loop ]
  %i.w = sext i32 %i to i64
  %j.w = sext i32 %j to i64
  %p = getelementptr inbounds i8, ptr %a, i64 %i.w
  %q = getelementptr inbounds i8, ptr %a, i64 %j.w
  %x = load i8, ptr %p
  %y = load i8, ptr %q
  store i8 %y, ptr %p
  store i8 %x, ptr %q
  %i.next = add nsw i32 %i, 1
  %j.next = add nsw i32 %j, -1
  %c = icmp slt i32 %i.next, %j.next
  br i1 %c, label %loop, label %out
out:
  ret void
}
; An exit after another one: the bound is extended before the loop.
define i32 @g(ptr %a, i32 %n) {
entry:
  %e = icmp sgt i32 %n, 0
  br i1 %e, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %i.w = sext i32 %i to i64
  %p = getelementptr inbounds i8, ptr %a, i64 %i.w
  %x = load i8, ptr %p
  %stop = icmp eq i8 %x, 0
  br i1 %stop, label %found, label %latch
latch:
  %i.next = add nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out
found:
  ret i32 1
out:
  ret i32 0
}
