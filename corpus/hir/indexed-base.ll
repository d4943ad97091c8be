; Indexed references through the base: pointers are loaded from an array and their elements 0 and 1
; added.
; From hir-ddrefs.rst: More Questions, Example: Indexed DR (base).

@p0 = global [2 x i32] [i32 1, i32 2]
@p1 = global [2 x i32] [i32 30, i32 40]
@vec = global [2 x ptr] [ptr @p0, ptr @p1]

define i32 @f(ptr %ret) {
entry:
  br label %loop

loop:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %loop ]
  %vec.at = getelementptr inbounds [2 x ptr], ptr @vec, i64 0, i64 %i1
  %t0 = load ptr, ptr %vec.at
  %t1 = load i32, ptr %t0
  %t2 = load ptr, ptr %vec.at
  %t2.1 = getelementptr inbounds i32, ptr %t2, i64 1
  %t3 = load i32, ptr %t2.1
  %sum = add i32 %t1, %t3
  %ret.at = getelementptr inbounds i32, ptr %ret, i64 %i1
  store i32 %sum, ptr %ret.at
  %i1.next = add nuw nsw i64 %i1, 1
  %more = icmp ne i64 %i1.next, 2
  br i1 %more, label %loop, label %exit

exit:
  %r0 = load i32, ptr %ret
  %r.at = getelementptr inbounds i32, ptr %ret, i64 1
  %r1 = load i32, ptr %r.at
  %r = add i32 %r0, %r1
  ret i32 %r
}
