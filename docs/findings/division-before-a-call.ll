declare i64 @any(i64)

define i4 @f(i4 %a) {
entry:
  %odd = or i4 %a, 1
  br label %loop

loop:
  %v = call i64 @any(i64 0)
  %q = udiv i4 1, %odd
  br i1 false, label %latch, label %out

latch:
  br i1 false, label %loop, label %exit

out:
  ret i4 %q

exit:
  ret i4 0
}
