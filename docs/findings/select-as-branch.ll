define void @f(i1 %a, i1 %b) {
entry:
  br label %loop

loop:
  %c = icmp ne i1 %a, false
  %d = or i1 %c, %b
  %e = select i1 %d, i4 0, i4 0
  br label %loop
}
