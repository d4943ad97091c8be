; loop-unroll<count=2;runtime>
; An alternating recurrence is a constant in each of two copies.
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi i32 [ 3, %entry ], [ %c.next, %loop ]
  %q = getelementptr i32, ptr %a, i64 %i
  store i32 %c, ptr %q
  %c.next = xor i32 %c, 255
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
