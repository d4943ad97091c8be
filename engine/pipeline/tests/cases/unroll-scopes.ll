; loop-unroll<count=2;runtime>
; The scope declared in the loop is different in each iteration, so metadata that refers to it is dropped; the scope
; declared before the loop is unchanged.
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f(ptr %p, ptr %q, ptr %r, i32 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !5)
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %v = load i32, ptr %p, align 4, !alias.scope !2, !noalias !5
  store i32 %v, ptr %q, align 4, !alias.scope !5, !noalias !2
  store i32 %i, ptr %r, align 4, !noalias !5
  %j = add nuw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %l, label %x
x:
  %w = load i32, ptr %q, align 4, !alias.scope !5
  store i32 %w, ptr %r, align 4, !noalias !5
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3}
!4 = distinct !{!4, !3}
!5 = !{!4}
