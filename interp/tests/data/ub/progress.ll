; Loops that do not end: undefined where progress was promised, divergence otherwise.

; @forever() -> diverges
define void @forever() {
entry:
  br label %loop
loop:
  br label %loop
}
; @forever_mustprogress() -> ub no-progress
define void @forever_mustprogress() mustprogress {
entry:
  br label %loop
loop:
  br label %loop
}
; @loop_mustprogress() -> ub no-progress
define void @loop_mustprogress() {
entry:
  br label %loop
loop:
  br label %loop, !llvm.loop !0
}
; @two_blocks_mustprogress(0) -> ub no-progress
; @two_blocks_mustprogress(1) -> void
define void @two_blocks_mustprogress(i1 %c) mustprogress {
entry:
  br label %a
a:
  br i1 %c, label %exit, label %b
b:
  br label %a
exit:
  ret void
}
; A counter that wraps around comes back to the same state.
; @wrapping_mustprogress() -> ub no-progress
define void @wrapping_mustprogress() mustprogress {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %j, %loop ]
  %j = add i8 %i, 2
  %c = icmp eq i8 %j, 1
  br i1 %c, label %exit, label %loop
exit:
  ret void
}
; @wrapping() -> diverges
define void @wrapping() {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %j, %loop ]
  %j = add i8 %i, 2
  %c = icmp eq i8 %j, 1
  br i1 %c, label %exit, label %loop
exit:
  ret void
}
; A volatile access is progress.
; @volatile_mustprogress(zeros:1) -> limit-exceeded
define void @volatile_mustprogress(ptr %p) mustprogress {
entry:
  br label %loop
loop:
  store volatile i8 0, ptr %p
  br label %loop
}
; A plain store is none.
; @store_mustprogress(zeros:1) -> ub no-progress
define void @store_mustprogress(ptr %p) mustprogress {
entry:
  br label %loop
loop:
  store i8 0, ptr %p
  br label %loop
}
; Nor is one that changes memory, which comes back to what it was.
; @counter_in_memory() -> ub no-progress
define void @counter_in_memory() mustprogress {
entry:
  %p = alloca i8
  store i8 0, ptr %p
  br label %loop
loop:
  %i = load i8, ptr %p
  %j = add i8 %i, 2
  store i8 %j, ptr %p
  %c = icmp eq i8 %j, 1
  br i1 %c, label %exit, label %loop
exit:
  ret void
}
; @counter_in_memory_ends() -> i8 -1
define i8 @counter_in_memory_ends() mustprogress {
entry:
  %p = alloca i8
  store i8 0, ptr %p
  br label %loop
loop:
  %i = load i8, ptr %p
  %j = add i8 %i, 1
  store i8 %j, ptr %p
  %c = icmp eq i8 %j, -1
  br i1 %c, label %exit, label %loop
exit:
  ret i8 %j
}
; @ends_mustprogress() -> i8 5
define i8 @ends_mustprogress() mustprogress {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %j, %loop ]
  %j = add i8 %i, 1
  %c = icmp eq i8 %j, 5
  br i1 %c, label %exit, label %loop, !llvm.loop !0
exit:
  ret i8 %j
}
; A loop with a promise inside of one without.
; @inner_mustprogress() -> ub no-progress
define void @inner_mustprogress() {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br label %inner, !llvm.loop !0
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
