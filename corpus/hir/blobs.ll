; The nest of three levels whose subscripts hold blobs: %1 is loaded and %4 truncated at level 2, both
; are multiplied with level 3's induction variable or each other.
; From hir-ddrefs.rst: CanonExpr (CE), Example: Blobs.

@b = global [8 x [200 x [1 x i32]]] zeroinitializer
@c = global [8 x [404 x [304 x i32]]] zeroinitializer

define i32 @f(i64 %i) {
entry:
  br label %l1

l1:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %l1.latch ]
  %0 = add nsw i64 %i1, %i
  %i1.i1 = add nsw i64 %0, 1
  br label %l2

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %i2.next, %l2.latch ]
  %b.at = getelementptr inbounds [8 x [200 x [1 x i32]]], ptr @b, i64 0, i64 %0, i64 %i2, i64 0
  %1 = load i32, ptr %b.at
  %2 = shl nuw nsw i64 %i2, 1
  %3 = mul i32 %1, 3
  %4 = trunc i64 %2 to i32
  %wide = sext i32 %3 to i64
  %row = add nuw nsw i64 %2, 5
  %product = mul i32 %1, %4
  %product.4 = add i32 %product, 4
  %row2 = sext i32 %product.4 to i64
  br label %l3

l3:
  %i3 = phi i64 [ 0, %l2 ], [ %i3.next, %l3 ]
  %step = mul nsw i64 %wide, %i3
  %step2 = shl nsw i64 %step, 1
  %col = add nsw i64 %step2, 6
  %c.at = getelementptr inbounds [8 x [404 x [304 x i32]]], ptr @c, i64 0, i64 %i1.i1, i64 %row, i64 %col
  store i32 1, ptr %c.at
  %col2 = mul nuw nsw i64 %i3, 6
  %c.at2 = getelementptr inbounds [8 x [404 x [304 x i32]]], ptr @c, i64 0, i64 %i1.i1, i64 %row2, i64 %col2
  store i32 3, ptr %c.at2
  %i3.next = add nuw nsw i64 %i3, 1
  %l3.more = icmp ne i64 %i3.next, 50
  br i1 %l3.more, label %l3, label %l2.latch

l2.latch:
  %i2.next = add nuw nsw i64 %i2, 1
  %l2.more = icmp ne i64 %i2.next, 200
  br i1 %l2.more, label %l2, label %l1.latch

l1.latch:
  %i1.next = add nuw nsw i64 %i1, 1
  %l1.more = icmp ne i64 %i1.next, 4
  br i1 %l1.more, label %l1, label %exit

exit:
  %r.at = getelementptr inbounds [8 x [404 x [304 x i32]]], ptr @c, i64 0, i64 1, i64 4, i64 6
  %r = load i32, ptr %r.at
  %r.at2 = getelementptr inbounds [8 x [404 x [304 x i32]]], ptr @c, i64 0, i64 1, i64 5, i64 6
  %r2 = load i32, ptr %r.at2
  %sum = add i32 %r, %r2
  ret i32 %sum
}
