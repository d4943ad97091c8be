; loop-unroll<count=8;runtime>
; i / 8 from 3 may wrap within a round: the largest quotient is followed by 0, not by that quotient plus one.
define void @f(ptr %a, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 3, %entry ], [ %i.next, %loop ]
  %h = udiv i8 %i, 8
  %q = getelementptr i32, ptr %a, i8 %h
  store i32 1, ptr %q
  %i.next = add i8 %i, 1
  %e = icmp eq i8 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
