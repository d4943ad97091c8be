; loop-unroll<count=8;runtime>
; i / 8 from 3: the quotient increases by one at the sixth copy.
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 3, %entry ], [ %i.next, %loop ]
  %h = udiv i64 %i, 8
  %q = getelementptr i32, ptr %a, i64 %h
  store i32 1, ptr %q
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
