; The loop DO i1 = 0, 3, 1 over x and b whose DDRefs and symbases the document lists: a first-order
; recurrence through %1 and a reduction in x.
; From hir-ddrefs.rst: Overview, Example: DDRefs and Symbases.

define i32 @f(ptr %b) {
entry:
  %0 = load i32, ptr %b
  br label %loop

loop:
  %i1 = phi i32 [ 0, %entry ], [ %i1.next, %loop ]
  %x.018 = phi i32 [ 0, %entry ], [ %x.next, %loop ]
  %1 = phi i32 [ %0, %entry ], [ %2, %loop ]
  %x.next = add i32 %x.018, %1
  %i1.next = add nuw nsw i32 %i1, 1
  %at.next = getelementptr inbounds i32, ptr %b, i32 %i1.next
  %2 = load i32, ptr %at.next
  %add4 = add i32 %x.next, %2
  %at = getelementptr inbounds i32, ptr %b, i32 %i1
  store i32 %add4, ptr %at
  %more = icmp ne i32 %i1.next, 4
  br i1 %more, label %loop, label %exit

exit:
  %at3 = getelementptr inbounds i32, ptr %b, i32 3
  %r = load i32, ptr %at3
  ret i32 %r
}
