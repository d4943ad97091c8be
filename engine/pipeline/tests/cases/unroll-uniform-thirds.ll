; loop-unroll<runtime>
; if (i % 3 == 0): in a round of three, one copy executes the body, without a test.
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %r = urem i64 %i, 3
  %c = icmp eq i64 %r, 0
  br i1 %c, label %then, label %latch
then:
  %q = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %q
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  br label %latch
latch:
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
