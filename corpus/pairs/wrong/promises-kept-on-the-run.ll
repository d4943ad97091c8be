; The source makes promises about memory, and the failing run breaks none of them.

declare void @llvm.experimental.noalias.scope.decl(metadata)

define i64 @src_types(ptr %p, ptr %q, i64 %a) {
  store i64 %a, ptr %p, !tbaa !1
  %old = load i8, ptr %q, !tbaa !4
  %v = load i64, ptr %p, !tbaa !1
  ret i64 %v
}
define i64 @tgt_types(ptr %p, ptr %q, i64 %a) {
  store i64 %a, ptr %p, !tbaa !1
  %old = load i8, ptr %q, !tbaa !4
  ret i64 9
}
define i8 @src_guarded(ptr %p, ptr %q, i32 %k) {
entry:
  %x = xor i32 %k, 1516493
  %c = icmp eq i32 %x, 88112233
  br i1 %c, label %then, label %else
then:
  store i8 1, ptr %p, !alias.scope !9
  %old = load i16, ptr %q, !noalias !9
  %v = load i8, ptr %p, !alias.scope !9
  ret i8 %v
else:
  ret i8 0
}
define i8 @tgt_guarded(ptr %p, ptr %q, i32 %k) {
entry:
  %x = xor i32 %k, 1516493
  %c = icmp eq i32 %x, 88112233
  br i1 %c, label %then, label %else
then:
  store i8 1, ptr %p, !alias.scope !9
  %old = load i16, ptr %q, !noalias !9
  ret i8 2
else:
  ret i8 0
}
define i8 @src_declared(ptr %p) {
  call void @llvm.experimental.noalias.scope.decl(metadata !9)
  store i8 1, ptr %p, !alias.scope !9
  call void @llvm.experimental.noalias.scope.decl(metadata !9)
  store i8 2, ptr %p, !noalias !9
  ret i8 1
}
define i8 @tgt_declared(ptr %p) {
  call void @llvm.experimental.noalias.scope.decl(metadata !9)
  store i8 1, ptr %p, !alias.scope !9
  call void @llvm.experimental.noalias.scope.decl(metadata !9)
  store i8 2, ptr %p, !noalias !9
  ret i8 3
}
define i8 @src_invariant(ptr %p) {
  %v = load i8, ptr %p, !invariant.load !10
  ret i8 %v
}
define i8 @tgt_invariant(ptr %p) {
  %v = load i8, ptr %p, !invariant.load !10
  %w = add i8 %v, 1
  ret i8 %w
}
!1 = !{!2, !2, i64 0}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !5, i64 0}
!4 = !{!3, !3, i64 0}
!5 = !{!"root"}
!7 = distinct !{!7, !"domain"}
!8 = distinct !{!8, !7, !"scope"}
!9 = !{!8}
!10 = !{}
