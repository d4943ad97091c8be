; A[0][2*i][b*i]: the induction variable stands in two subscripts, so the stride at its level is 4*b +
; 80 bytes.
; From hir-ddrefs.rst: Evolution of a DDRef in a loop: getStrideAtLevel(L).

@A = global [10 x [10 x i32]] zeroinitializer

define i32 @f(i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %row = shl nuw nsw i64 %i, 1
  %col = mul nsw i64 %b, %i
  %at = getelementptr inbounds [10 x [10 x i32]], ptr @A, i64 0, i64 %row, i64 %col
  store i32 9, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  %r.at = getelementptr inbounds [10 x [10 x i32]], ptr @A, i64 0, i64 6, i64 3
  %r = load i32, ptr %r.at
  ret i32 %r
}

define i32 @g(i64 %b) {
entry:
  %b4 = shl i64 %b, 2
  %stride = add i64 %b4, 80
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %offset = mul i64 %i, %stride
  %at = getelementptr inbounds i8, ptr @A, i64 %offset
  store i32 9, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  %r.at = getelementptr inbounds [10 x [10 x i32]], ptr @A, i64 0, i64 6, i64 3
  %r = load i32, ptr %r.at
  ret i32 %r
}
