; A call may free the memory that a pointer leads to: that it was accessed before the call does not say that it can be
; accessed behind it. The target does so where the source does not.
;
; In the pairs whose names end in `_kept` something says that the memory stays: these are right.

declare void @g()
declare void @holds() nofree nosync
declare void @holds_itself() nofree
declare void @free(ptr)

define i32 @src(ptr %p, i1 %c) {
  %v = load i32, ptr %p
  call void @g()
  br i1 %c, label %more, label %end

more:
  %w = load i32, ptr %p
  ret i32 %w

end:
  ret i32 0
}

define i32 @tgt(ptr %p, i1 %c) {
  %v = load i32, ptr %p
  call void @g()
  %w = load i32, ptr %p
  br i1 %c, label %more, label %end

more:
  ret i32 %w

end:
  ret i32 0
}

define i32 @src_loop(ptr %p, i1 %c) {
entry:
  br label %loop

loop:
  %v = load i32, ptr %p
  %z = icmp eq i32 %v, 0
  br i1 %z, label %exit, label %more

more:
  call void @g()
  br i1 %c, label %latch, label %exit

latch:
  br label %loop

exit:
  ret i32 0
}

define i32 @tgt_loop(ptr %p, i1 %c) {
entry:
  %first = load i32, ptr %p
  br label %loop

loop:
  %v = phi i32 [ %first, %entry ], [ %next, %latch ]
  %z = icmp eq i32 %v, 0
  br i1 %z, label %exit, label %more

more:
  call void @g()
  %next = load i32, ptr %p
  br i1 %c, label %latch, label %exit

latch:
  br label %loop

exit:
  ret i32 0
}

define void @src_named(ptr %p) {
  %v = load i32, ptr %p
  call void @free(ptr %p)
  ret void
}

define void @tgt_named(ptr %p) {
  call void @free(ptr %p)
  %v = load i32, ptr %p
  ret void
}

define i32 @src_kept(ptr %p, i1 %c) {
  %v = load i32, ptr %p
  call void @holds()
  br i1 %c, label %more, label %end

more:
  %w = load i32, ptr %p
  ret i32 %w

end:
  ret i32 0
}

define i32 @tgt_kept(ptr %p, i1 %c) {
  %v = load i32, ptr %p
  call void @holds()
  %w = load i32, ptr %p
  br i1 %c, label %more, label %end

more:
  ret i32 %w

end:
  ret i32 0
}

; Without `nosync`, another thread may free it.
define i32 @src_by_another(ptr %p, i1 %c) {
  %v = load i32, ptr %p
  call void @holds_itself()
  br i1 %c, label %more, label %end

more:
  %w = load i32, ptr %p
  ret i32 %w

end:
  ret i32 0
}

define i32 @tgt_by_another(ptr %p, i1 %c) {
  %v = load i32, ptr %p
  call void @holds_itself()
  %w = load i32, ptr %p
  br i1 %c, label %more, label %end

more:
  ret i32 %w

end:
  ret i32 0
}

define i32 @src_promised_kept(ptr dereferenceable(4) align 4 %p, i1 %c) {
  call void @g()
  br i1 %c, label %more, label %end

more:
  %w = load i32, ptr %p
  ret i32 %w

end:
  ret i32 0
}

define i32 @tgt_promised_kept(ptr dereferenceable(4) align 4 %p, i1 %c) {
  call void @g()
  %w = load i32, ptr %p
  br i1 %c, label %more, label %end

more:
  ret i32 %w

end:
  ret i32 0
}
