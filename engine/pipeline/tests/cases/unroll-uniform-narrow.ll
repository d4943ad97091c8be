; loop-unroll<count=4;runtime>
; Values that repeat every round: a toggled flag, a two-bit counter, the low bits of a decreasing counter.
define i32 @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1000, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %flag = phi i1 [ false, %entry ], [ %flag.next, %latch ]
  %two = phi i2 [ 1, %entry ], [ %two.next, %latch ]
  %low = trunc i64 %i to i2
  %wide = zext i2 %low to i32
  %twice = mul i32 %wide, %wide
  %w2 = zext i2 %two to i32
  %sum = add i32 %twice, %w2
  %s.next = add i32 %s, %sum
  br i1 %flag, label %then, label %latch
then:
  %q = getelementptr i32, ptr %a, i64 %i
  store i32 %s, ptr %q
  br label %latch
latch:
  %flag.next = xor i1 %flag, true
  %two.next = add i2 %two, 1
  %i.next = add i64 %i, -1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret i32 %s.next
}
