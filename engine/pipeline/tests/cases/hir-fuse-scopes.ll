; hir-fuse
; Loops with a declaration of alias scopes between them are not fused, because the code before and after it must stay
; separate.

declare void @llvm.experimental.noalias.scope.decl(metadata)

define void @between(ptr noalias %p) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %a = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %a, align 4, !alias.scope !0
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %first, label %middle

middle:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  br label %second

second:
  %j = phi i64 [ 0, %middle ], [ %j.next, %second ]
  %b = getelementptr inbounds i32, ptr %p, i64 %j
  %v = load i32, ptr %b, align 4, !noalias !0
  %w = add i32 %v, 1
  store i32 %w, ptr %b, align 4, !noalias !0
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 100
  br i1 %j.more, label %second, label %exit

exit:
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
