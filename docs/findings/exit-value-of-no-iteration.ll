define i8 @f(i8 %a, i8 %b) {
entry:
  br label %head

head:
  %i = phi i8 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i8 [ 0, %entry ], [ %s.next, %body ]
  %done = icmp eq i8 %i, %b
  br i1 %done, label %exit, label %body

body:
  %i.next = add i8 %i, 1
  %s.next = add i8 %s, %a
  br label %head

exit:
  ret i8 %s
}
