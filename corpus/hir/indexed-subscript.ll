; Indexed references through a subscript: a[b[i2]] = 0.0 and a[b[i2] + 1] = 1.0, to be recognised by
; tracing the blob to its load.
; From hir-ddrefs.rst: More Questions, Example: Indexed DR (subscript).

@b = global [2 x i32] [i32 2, i32 0]

define i32 @f(ptr %a) {
entry:
  br label %l1

l1:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %l1.latch ]
  br label %l2

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %i2.next, %l2 ]
  %b.at = getelementptr inbounds [2 x i32], ptr @b, i64 0, i64 %i2
  %t0 = load i32, ptr %b.at
  %t0.wide = sext i32 %t0 to i64
  %a.at = getelementptr inbounds float, ptr %a, i64 %t0.wide
  store float 0.000000e+00, ptr %a.at
  %t1 = load i32, ptr %b.at
  %t1.1 = add nsw i32 %t1, 1
  %t1.wide = sext i32 %t1.1 to i64
  %a.at2 = getelementptr inbounds float, ptr %a, i64 %t1.wide
  store float 1.000000e+00, ptr %a.at2
  %i2.next = add nuw nsw i64 %i2, 1
  %l2.more = icmp ne i64 %i2.next, 2
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i1.next = add nuw nsw i64 %i1, 1
  %l1.more = icmp ne i64 %i1.next, 2
  br i1 %l1.more, label %l1, label %exit

exit:
  %r.at = getelementptr inbounds i32, ptr %a, i64 3
  %r = load i32, ptr %r.at
  ret i32 %r
}
