; The subscript %t1 * %t4 + 4 has no induction variable of its own, and yet varies with level 2, where
; both blobs are defined: no IV at a level does not mean invariant there.
; From hir-ddrefs.rst: CanonExpr (CE), hasIV(Level).

@b = global [3 x i32] [i32 0, i32 1, i32 2]
@c = global [12 x i32] zeroinitializer

define i32 @f(i64 %k) {
entry:
  br label %l2

l2:
  %i2 = phi i64 [ 0, %entry ], [ %i2.next, %l2.latch ]
  %b.at = getelementptr inbounds [3 x i32], ptr @b, i64 0, i64 %i2
  %t1 = load i32, ptr %b.at
  %twice = shl nuw nsw i64 %i2, 1
  %t4 = trunc i64 %twice to i32
  br label %l3

l3:
  %i3 = phi i64 [ 0, %l2 ], [ %i3.next, %l3 ]
  %prod = mul nsw i32 %t1, %t4
  %sub = add nsw i32 %prod, 4
  %sub.wide = sext i32 %sub to i64
  %c.at = getelementptr inbounds [12 x i32], ptr @c, i64 0, i64 %sub.wide
  %old = load i32, ptr %c.at
  %new = add nsw i32 %old, 3
  store i32 %new, ptr %c.at
  %i3.next = add nuw nsw i64 %i3, 1
  %l3.more = icmp ult i64 %i3.next, 2
  br i1 %l3.more, label %l3, label %l2.latch

l2.latch:
  %i2.next = add nuw nsw i64 %i2, 1
  %l2.more = icmp ult i64 %i2.next, 2
  br i1 %l2.more, label %l2, label %exit

exit:
  %k.at = getelementptr inbounds [12 x i32], ptr @c, i64 0, i64 %k
  %r = load i32, ptr %k.at
  ret i32 %r
}
