define void @f(i4 %a, i4 %b) {
entry:
  br label %loop

loop:
  %i = phi i4 [ 0, %entry ], [ %i.next, %latch ]
  %i.next = add i4 %i, 1
  %goes.on = icmp ule i4 %a, %i
  br i1 %goes.on, label %latch, label %first

first:
  ret void

latch:
  %more = icmp ne i4 %i, %b
  br i1 %more, label %loop, label %second

second:
  ret void
}
