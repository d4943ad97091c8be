define i4 @f(i4 %end, i4 %start) {
entry:
  br label %loop

loop:
  %a = phi i4 [ %start, %entry ], [ %a.next, %loop ]
  %b = phi i4 [ %start, %entry ], [ %b.next, %loop ]
  %a.next = add i4 %a, 1
  %b.next = add nuw i4 %b, 1
  %done = icmp ult i4 %a, %end
  br i1 %done, label %exit, label %loop

exit:
  ret i4 %b.next
}
