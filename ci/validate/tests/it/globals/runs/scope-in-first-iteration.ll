; An access of a scope of each iteration in the first one, and in all.
; judged scope_in_first_iteration: if @tgt_scope_in_first_iteration keeps !alias.scope

declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @src_scope_in_first_iteration(ptr noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  call void @llvm.experimental.noalias.scope.decl(metadata !11)
  br i1 %d, label %acc, label %nx
acc:
  store i32 7, ptr %p, align 4, !alias.scope !11
  br label %nx
nx:
  br i1 %d, label %latch, label %ld
ld:
  %v = load i32, ptr %q, align 4, !noalias !11
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 3
  br i1 %c, label %loop, label %x
x:
  ret void
}
define void @tgt_scope_in_first_iteration(ptr noundef dereferenceable(4) align 4 %p, ptr noundef dereferenceable(4) align 4 %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  call void @llvm.experimental.noalias.scope.decl(metadata !11)
  br i1 true, label %acc, label %nx
acc:
  store i32 7, ptr %p, align 4, !alias.scope !11
  br label %nx
nx:
  br i1 %d, label %latch, label %ld
ld:
  %v = load i32, ptr %q, align 4, !noalias !11
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 3
  br i1 %c, label %loop, label %x
x:
  ret void
}
!9 = !{!9,!"dom"}
!10 = !{!10, !9, !"s"}
!11 = !{!10}
