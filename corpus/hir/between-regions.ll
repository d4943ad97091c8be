; The second region branches on what the first one computes between its loops; what that is made of is used nowhere
; behind the first one, and is gone when it is lowered.
define i8 @f(i8 %a, i1 %c, ptr %p) {
entry:
  br label %first
first:
  %more = load volatile i1, ptr %p
  br i1 %more, label %first, label %between
between:
  %low = icmp sle i8 %a, 3
  %high = icmp ugt i8 %a, 7
  %both = select i1 %low, i1 %high, i1 false
  br label %second
second:
  %again = load volatile i1, ptr %p
  br i1 %again, label %second, label %apart
apart:
  %start = phi i8 [ 1, %second ]
  %odd = freeze i1 %c
  br i1 %odd, label %third.ph, label %other
other:
  %negated = sub i8 0, %start
  ret i8 %negated
third.ph:
  br label %third
third:
  %once = load volatile i1, ptr %p
  br i1 %once, label %more.third, label %left
more.third:
  br i1 %both, label %third, label %done
left:
  ret i8 1
done:
  ret i8 2
}

; What is never come to is on no way from one loop to the next.
define i8 @never(ptr %p) {
entry:
  br label %first
first:
  %more = load volatile i1, ptr %p
  br i1 %more, label %first, label %between
between:
  br label %around
around:
  br label %second
second:
  %once = load volatile i1, ptr %p
  br i1 %once, label %second, label %out
unreachable.latch:
  br i1 false, label %around, label %other
other:
  %v = load i8, ptr null
  ret i8 %v
out:
  ret i8 1
}
