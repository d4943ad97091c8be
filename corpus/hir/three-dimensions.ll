; base[dim3][dim2][dim1] in a nest of three, one subscript per level; dimensions are numbered from the
; innermost.
; From hir-ddrefs.rst: RegDDRef.

@base = global [2 x [2 x [2 x i32]]] zeroinitializer

define i32 @f(i32 %x) {
entry:
  br label %l1

l1:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %l1.latch ]
  br label %l2

l2:
  %i2 = phi i64 [ 0, %l1 ], [ %i2.next, %l2.latch ]
  br label %l3

l3:
  %i3 = phi i64 [ 0, %l2 ], [ %i3.next, %l3 ]
  %at = getelementptr inbounds [2 x [2 x [2 x i32]]], ptr @base, i64 0, i64 %i1, i64 %i2, i64 %i3
  %old = load i32, ptr %at
  %new = add i32 %old, %x
  store i32 %new, ptr %at
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
  %last = getelementptr inbounds [2 x [2 x [2 x i32]]], ptr @base, i64 0, i64 1, i64 1, i64 1
  %r = load i32, ptr %last
  ret i32 %r
}
