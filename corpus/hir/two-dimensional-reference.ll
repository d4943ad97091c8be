; b[6 * %1 * i3][i2 + 5] in a nest of three: the outer dimension's subscript is defined at level 2 by
; a blob, the inner one's at level 0.
; From hir-ddrefs.rst: RegDDRef, Example.

@b = global [16 x [8 x i32]] zeroinitializer

define i32 @f(ptr %blob) {
entry:
  br label %l1

l1:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %l1.latch ]
  br label %l2

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %i2.next, %l2.latch ]
  %0 = getelementptr inbounds i64, ptr %blob, i64 %i2
  %1 = load i64, ptr %0
  %six = mul nsw i64 %1, 6
  %dim1 = add nuw nsw i64 %i2, 5
  br label %l3

l3:
  %i3 = phi i64 [ 0, %l2 ], [ %i3.next, %l3 ]
  %dim2 = mul nsw i64 %six, %i3
  %at = getelementptr inbounds [16 x [8 x i32]], ptr @b, i64 0, i64 %dim2, i64 %dim1
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %i3.next = add nuw nsw i64 %i3, 1
  %l3.more = icmp ne i64 %i3.next, 2
  br i1 %l3.more, label %l3, label %l2.latch

l2.latch:
  %i2.next = add nuw nsw i64 %i2, 1
  %l2.more = icmp ne i64 %i2.next, 2
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i1.next = add nuw nsw i64 %i1, 1
  %l1.more = icmp ne i64 %i1.next, 2
  br i1 %l1.more, label %l1, label %exit

exit:
  %r.at = getelementptr inbounds [16 x [8 x i32]], ptr @b, i64 0, i64 6, i64 5
  %r = load i32, ptr %r.at
  ret i32 %r
}
