; loop(loop-peel)
; Code that executes only in the last iteration: after peeling, the loop need not test for it.
declare void @use(i64) nounwind willreturn
define void @f(ptr %a, i64 %n) {
entry:
  %last = add i64 %n, -1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %c = icmp eq i64 %i, %last
  br i1 %c, label %then, label %latch
then:
  call void @use(i64 %i)
  br label %latch
latch:
  %i.next = add nuw i64 %i, 1
  %d = icmp ne i64 %i.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
; Two comparisons, one of them in a select, and a constant trip count.
define i64 @g(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %latch ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %c = icmp ult i64 %i, 999
  br i1 %c, label %latch, label %then
then:
  call void @use(i64 %i)
  br label %latch
latch:
  %e = icmp eq i64 %i, 999
  %w = select i1 %e, i64 %v, i64 1
  %s.next = add i64 %s, %w
  %i.next = add nuw i64 %i, 1
  %d = icmp ult i64 %i.next, 1000
  br i1 %d, label %loop, label %exit
exit:
  ret i64 %s.next
}
; Another countable exit: the last iteration is at the smaller of the two counts.
define void @h(ptr %a, i64 %n, i64 %m) {
entry:
  %last = add i64 %n, -1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %stop = icmp eq i64 %i, %m
  br i1 %stop, label %exit, label %body
body:
  %c = icmp eq i64 %i, %last
  br i1 %c, label %then, label %latch
then:
  call void @use(i64 %i)
  br label %latch
latch:
  %i.next = add nuw i64 %i, 1
  %d = icmp ne i64 %i.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
