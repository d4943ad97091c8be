; Indexed references through the base: pointers are loaded from an array and their elements 0 and 1
; added.
; From hir-ddrefs.rst: More Questions, Example: Indexed DR (base).

@p0 = global [2 x i32] [i32 1, i32 2]
@p1 = global [2 x i32] [i32 30, i32 40]
@vec = global [4 x ptr] [ptr @p0, ptr @p1, ptr @p0, ptr @p1]

define i32 @f(ptr %vec.b.cast, ptr %ret.cast) {
entry:
  br label %loop

loop:
  %i1 = phi i64 [ 0, %entry ], [ %i1.next, %loop ]
  %vec.at = getelementptr inbounds ptr, ptr %vec.b.cast, i64 %i1
  %0 = load ptr, ptr %vec.at
  %1 = load i32, ptr %0
  %2 = load ptr, ptr %vec.at
  %second = getelementptr inbounds i32, ptr %2, i64 1
  %3 = load i32, ptr %second
  %sum = add i32 %1, %3
  %ret.at = getelementptr inbounds i32, ptr %ret.cast, i64 %i1
  store i32 %sum, ptr %ret.at
  %i1.next = add nuw nsw i64 %i1, 1
  %more = icmp ne i64 %i1.next, 4
  br i1 %more, label %loop, label %exit

exit:
  %r0 = load i32, ptr %ret.cast
  %r.at = getelementptr inbounds i32, ptr %ret.cast, i64 3
  %r1 = load i32, ptr %r.at
  %r = add i32 %r0, %r1
  ret i32 %r
}

define i32 @run(ptr %ret) {
  %r = call i32 @f(ptr @vec, ptr %ret)
  ret i32 %r
}
