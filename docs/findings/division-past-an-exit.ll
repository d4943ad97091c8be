define i32 @f(i32 %a, i1 %c) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %out, label %body
body:
  %q = udiv i32 1000, %a
  %r = icmp ult i32 %i, %q
  br i1 %r, label %out, label %latch
latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %head, label %exit
out:
  ret i32 0
exit:
  ret i32 1
}
