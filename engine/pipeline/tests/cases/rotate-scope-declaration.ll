; loop-rotate
; A scope declared in the header would be declared twice, so metadata that refers to scopes is dropped.
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f(i32 %n, ptr %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  store i32 %i, ptr %p, align 4, !alias.scope !0
  %i.next = add i32 %i, 1
  br label %header
exit:
  ret void
}
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
