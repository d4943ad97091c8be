; loop-unroll<runtime>
; if (f(i / 2)) break; a[i]++: the call depends only on its argument, so it executes once per round.
declare i1 @f(i64) memory(none) willreturn nounwind
define void @g(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %h = udiv i64 %i, 2
  %stop = call i1 @f(i64 %h)
  br i1 %stop, label %out, label %latch
latch:
  %q = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %q
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
