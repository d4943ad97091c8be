; The nest of three levels whose subscripts hold blobs: %1 is loaded and %4 truncated at level 2, both
; are multiplied with level 3's induction variable or each other.
; From hir-ddrefs.rst: CanonExpr (CE), Example: Blobs.
;
; The bounds 4, 200 and 50 are 2, 2 and 2 here, and the arrays as small as that allows.

@b = global [4 x [4 x i32]] zeroinitializer
@c = global [4 x [12 x [16 x i32]]] zeroinitializer

define i32 @f(i64 %i) {
entry:
  %pi = and i64 %i, 1
  br label %l1

l1:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %l1.latch ]
  %i1.i = add nuw nsw i64 %i1, %pi
  %i1.i1 = add nuw nsw i64 %i1.i, 1
  br label %l2

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %i2.next, %l2.latch ]
  %b.at = getelementptr inbounds [4 x [4 x i32]], ptr @b, i64 0, i64 %i1.i, i64 %i2
  %v1 = load i32, ptr %b.at
  %twice = shl nuw nsw i64 %i2, 1
  %v4 = trunc i64 %twice to i32
  %v1x3 = mul nsw i32 %v1, 3
  %v1x3.wide = sext i32 %v1x3 to i64
  %row = add nuw nsw i64 %twice, 5
  %v1xv4 = mul nsw i32 %v1, %v4
  %v1xv4p4 = add nsw i32 %v1xv4, 4
  %row2 = sext i32 %v1xv4p4 to i64
  br label %l3

l3:
  %i3 = phi i64 [ 0, %l2 ], [ %i3.next, %l3 ]
  %step = mul nsw i64 %v1x3.wide, %i3
  %step2 = shl nsw i64 %step, 1
  %col = add nsw i64 %step2, 6
  %c.at = getelementptr inbounds [4 x [12 x [16 x i32]]], ptr @c, i64 0, i64 %i1.i1, i64 %row, i64 %col
  store i32 1, ptr %c.at
  %col2 = mul nuw nsw i64 %i3, 6
  %c.at2 = getelementptr inbounds [4 x [12 x [16 x i32]]], ptr @c, i64 0, i64 %i1.i1, i64 %row2, i64 %col2
  store i32 3, ptr %c.at2
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
  %r.at = getelementptr inbounds [4 x [12 x [16 x i32]]], ptr @c, i64 0, i64 1, i64 4, i64 6
  %r = load i32, ptr %r.at
  %r.at2 = getelementptr inbounds [4 x [12 x [16 x i32]]], ptr @c, i64 0, i64 1, i64 5, i64 6
  %r2 = load i32, ptr %r.at2
  %sum = add i32 %r, %r2
  ret i32 %sum
}
