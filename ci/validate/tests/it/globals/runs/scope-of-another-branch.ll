; A scope that begins in another branch.
; judged scope_of_another_branch: if @tgt_scope_of_another_branch keeps !noalias

declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @src_scope_of_another_branch(ptr noundef dereferenceable(16) align 4 %p, ptr noundef dereferenceable(16) align 4 %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  br i1 true, label %d, label %n
d:
  call void @llvm.experimental.noalias.scope.decl(metadata !11)
  br label %n
n:
  store i32 1, ptr %a, align 4, !alias.scope !11
  %w = load i32, ptr %b, align 4, !noalias !11
  br label %latch
latch:
  %i1 = add i64 %i, 1
  %k = icmp ult i64 %i1, 2
  br i1 %k, label %loop, label %x
x:
  ret void
}
define void @tgt_scope_of_another_branch(ptr noundef dereferenceable(16) align 4 %p, ptr noundef dereferenceable(16) align 4 %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  br i1 false, label %d, label %n
d:
  call void @llvm.experimental.noalias.scope.decl(metadata !11)
  br label %n
n:
  store i32 1, ptr %a, align 4, !alias.scope !11
  %w = load i32, ptr %b, align 4, !noalias !11
  br label %latch
latch:
  %i1 = add i64 %i, 1
  %k = icmp ult i64 %i1, 2
  br i1 %k, label %loop, label %x
x:
  ret void
}
!9 = !{!9,!"dom"}
!10 = !{!10, !9, !"s"}
!11 = !{!10}
