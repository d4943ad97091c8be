; A scope that begins in a loop, and in another loop.
; judged scope_of_loop: if @tgt_scope_of_loop keeps !noalias

declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @src_scope_of_loop(ptr noundef align 4 dereferenceable(16) %p) {
entry:
  br label %l1
l1:
  %i = phi i64 [0, %entry], [%i1, %l1]
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, 2
  br i1 %c, label %l1, label %l2
l2:
  %j = phi i64 [0, %l1], [%j1, %l2]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %a = getelementptr i32, ptr %p, i64 %j
  store i32 0, ptr %a, align 4, !alias.scope !2
  %j1 = add i64 %j, 1
  %b = getelementptr i32, ptr %p, i64 %j1
  store i32 0, ptr %b, align 4, !noalias !2
  %d = icmp ult i64 %j1, 2
  br i1 %d, label %l2, label %exit
exit:
  ret void
}
define void @tgt_scope_of_loop(ptr noundef align 4 dereferenceable(16) %p) {
entry:
  br label %l1
l1:
  %i = phi i64 [0, %entry], [%i1, %l1]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, 2
  br i1 %c, label %l1, label %l2
l2:
  %j = phi i64 [0, %l1], [%j1, %l2]
  %a = getelementptr i32, ptr %p, i64 %j
  store i32 0, ptr %a, align 4, !alias.scope !2
  %j1 = add i64 %j, 1
  %b = getelementptr i32, ptr %p, i64 %j1
  store i32 0, ptr %b, align 4, !noalias !2
  %d = icmp ult i64 %j1, 2
  br i1 %d, label %l2, label %exit
exit:
  ret void
}
!0 = distinct !{!0, !"domain"}
!1 = distinct !{!1, !0, !"scope"}
!2 = !{!1}
