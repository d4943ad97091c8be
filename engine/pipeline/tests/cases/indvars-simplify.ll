; indvars
; A decided comparison, remainders and quotients of values less than the divisor, extensions of non-negative values.
define void @f(ptr %p, i32 noundef %n) {
entry:
  %g = icmp sgt i32 %n, 0
  br i1 %g, label %ph, label %out
ph:
  br label %loop
loop:
  %i = phi i32 [ 0, %ph ], [ %i.next, %loop ]
  %k = phi i32 [ 0, %ph ], [ %k.next, %loop ]
  %c1 = icmp slt i32 %i, %n
  %x = zext i1 %c1 to i32
  store volatile i32 %x, ptr %p
  %r = urem i32 %i, %n
  store volatile i32 %r, ptr %p
  %q = sdiv i32 %i, %n
  store volatile i32 %q, ptr %p
  %h = sdiv i32 %i, 2
  store volatile i32 %h, ptr %p
  %w = sext i32 %i to i64
  store volatile i64 %w, ptr %p
  %below = icmp slt i32 %i, 77
  store volatile i1 %below, ptr %p
  store volatile i32 %k, ptr %p
  %i.next = add i32 %i, 1
  %k.next = add i32 %k, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out.loopexit
out.loopexit:
  br label %out
out:
  ret void
}
