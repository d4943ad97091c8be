; loop-unroll<runtime>
; s += a[i / 4]: there are no stores, so one load serves all lanes of a round.
define i32 @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %h = udiv i64 %i, 4
  %q = getelementptr i32, ptr %a, i64 %h
  %v = load i32, ptr %q
  %s.next = add i32 %s, %v
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret i32 %s.next
}
