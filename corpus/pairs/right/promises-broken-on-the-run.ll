; Every run on which the two differ breaks a promise of the source, in the function or in one that it calls.

@x = global i64 0

define i64 @src_types(i64 %a) {
  store i64 %a, ptr @x, !tbaa !1
  store i32 1, ptr @x, !tbaa !4
  %v = load i64, ptr @x, !tbaa !1
  ret i64 %v
}
define i64 @tgt_types(i64 %a) {
  store i64 %a, ptr @x, !tbaa !1
  store i32 1, ptr @x, !tbaa !4
  ret i64 %a
}
define internal void @parallel(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load i32, ptr %p, !llvm.access.group !11
  %w = add i32 %v, 1
  store i32 %w, ptr %p, !llvm.access.group !11
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 3
  br i1 %again, label %loop, label %exit, !llvm.loop !12
exit:
  ret void
}
define i32 @src_groups() {
  store i32 0, ptr @x
  call void @parallel(ptr @x)
  %v = load i32, ptr @x
  ret i32 %v
}
define i32 @tgt_groups() {
  store i32 0, ptr @x
  call void @parallel(ptr @x)
  ret i32 1
}
define i8 @src_invariant() {
  %v = load i8, ptr @x, !invariant.load !10
  %w = add i8 %v, 1
  store i8 %w, ptr @x
  %u = load i8, ptr @x
  ret i8 %u
}
define i8 @tgt_invariant() {
  %v = load i8, ptr @x, !invariant.load !10
  %w = add i8 %v, 1
  store i8 %w, ptr @x
  ret i8 %v
}
define i8 @src_call(ptr %p) {
  call void @put(ptr %p), !alias.scope !9
  store i8 2, ptr %p, !noalias !9
  %v = load i8, ptr %p
  ret i8 %v
}
define i8 @tgt_call(ptr %p) {
  call void @put(ptr %p), !alias.scope !9
  store i8 2, ptr %p, !noalias !9
  ret i8 1
}
define internal void @put(ptr %p) {
  store i8 1, ptr %p
  ret void
}
!1 = !{!2, !2, i64 0}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !6, i64 0}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !3, i64 0}
!6 = !{!"root"}
!7 = distinct !{!7, !"domain"}
!8 = distinct !{!8, !7, !"scope"}
!9 = !{!8}
!10 = !{}
!11 = distinct !{}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.parallel_accesses", !11}
