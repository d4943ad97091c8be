; loop-unroll<runtime>
; a[i / 2]++: the address is the same in two iterations, which makes a round of two profitable.
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %h = udiv i64 %i, 2
  %q = getelementptr i32, ptr %a, i64 %h
  %v = load i32, ptr %q
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
