; What comes from undef is another value at each use. The difference %none need not be 0, and so the sum %all may wrap: no
; flag can be put on it, although it is a sum of two numbers below 16 where %none is 0. In @frozen it is 0 indeed.

declare void @use(i8)

define i8 @f(i8 noundef %x, i8 noundef %y) {
entry:
  %any = add i8 undef, %x
  %none = sub i8 %any, %any
  %small = and i8 %x, 15
  %sum = add i8 %none, %small
  %other = and i8 %y, 15
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %all = add i8 %sum, %other
  call void @use(i8 %all)
  %next = add i8 %i, 1
  %more = icmp ult i8 %next, 5
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %all
}

define i8 @frozen(i8 noundef %x, i8 noundef %y) {
entry:
  %any = add i8 undef, %x
  %one = freeze i8 %any
  %none = sub i8 %one, %one
  %small = and i8 %x, 15
  %sum = add i8 %none, %small
  %other = and i8 %y, 15
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %all = add i8 %sum, %other
  call void @use(i8 %all)
  %next = add i8 %i, 1
  %more = icmp ult i8 %next, 5
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %all
}
