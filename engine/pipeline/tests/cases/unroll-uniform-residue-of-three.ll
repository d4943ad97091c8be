; loop-unroll<count=3;runtime>
; i % 3 from any start: a round of three preserves it only if the counter does not wrap.
define i64 @wraps(i64 %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %s, %entry ], [ %i.next, %loop ]
  %t = phi i64 [ 0, %entry ], [ %t.next, %loop ]
  %r = urem i64 %i, 3
  %t.next = add i64 %t, %r
  %i.next = add i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret i64 %t.next
}
define i64 @does_not(i64 %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %s, %entry ], [ %i.next, %loop ]
  %t = phi i64 [ 0, %entry ], [ %t.next, %loop ]
  %r = urem i64 %i, 3
  %t.next = add i64 %t, %r
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret i64 %t.next
}
