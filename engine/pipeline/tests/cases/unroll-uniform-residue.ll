; loop-unroll<count=2;runtime>
; if (i & 1) from any start: in each of two copies the condition is the same in all rounds, and is known before the
; loop.
define void @f(ptr %a, i64 %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %s, %entry ], [ %i.next, %latch ]
  %r = and i64 %i, 1
  %c = icmp eq i64 %r, 0
  br i1 %c, label %then, label %latch
then:
  %q = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %q
  br label %latch
latch:
  %i.next = add i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
