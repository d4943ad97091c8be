; For int A[10] the IR reference (GEP A, 0, i) is the reference A[0][i] with strides 4 and 40.
; From hir-ddrefs.rst: RegDDRef.

@A = global [10 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10]

define i32 @f(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds [10 x i32], ptr @A, i64 0, i64 %i
  %v = load i32, ptr %at
  %s.next = add i32 %s, %v
  %i.next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret i32 %s
}
