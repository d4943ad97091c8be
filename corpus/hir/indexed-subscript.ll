; Indexed references through a subscript: a[b[i2]] = 0.0 and a[b[i2] + 1] = 1.0, to be recognised by
; tracing the blob to its load.
; From hir-ddrefs.rst: More Questions, Example: Indexed DR (subscript).

@b = global [200 x i32] [i32 2, i32 5, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0]

define i32 @f(ptr %a) {
entry:
  br label %l1

l1:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %l1.latch ]
  br label %l2

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %i2.next, %l2 ]
  %b.at = getelementptr inbounds [200 x i32], ptr @b, i64 0, i64 %i2
  %0 = load i32, ptr %b.at
  %wide.0 = sext i32 %0 to i64
  %a.at = getelementptr inbounds float, ptr %a, i64 %wide.0
  store float 0.000000e+00, ptr %a.at
  %1 = load i32, ptr %b.at
  %next = add i32 %1, 1
  %wide.1 = sext i32 %next to i64
  %a.at2 = getelementptr inbounds float, ptr %a, i64 %wide.1
  store float 1.000000e+00, ptr %a.at2
  %i2.next = add nuw nsw i64 %i2, 1
  %l2.more = icmp ne i64 %i2.next, 200
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i1.next = add nuw nsw i64 %i1, 1
  %l1.more = icmp ne i64 %i1.next, 4
  br i1 %l1.more, label %l1, label %exit

exit:
  %r.at = getelementptr inbounds i32, ptr %a, i64 6
  %r = load i32, ptr %r.at
  ret i32 %r
}
