; hir-interchange
; A declaration of alias scopes accesses no memory. Metadata that refers to a scope declared in the nest is dropped when
; the iterations are reordered.

declare void @llvm.experimental.noalias.scope.decl(metadata)

define void @columns(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4, !alias.scope !0
  %w = add nsw i32 %v, 1
  store i32 %w, ptr %at, align 4, !alias.scope !0
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 100
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
