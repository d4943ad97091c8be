; An access moves past a branch in which its scope begins.
; judged access_past_a_scope: if @tgt_access_past_a_scope keeps !noalias

declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @src_access_past_a_scope(ptr noundef dereferenceable(16) align 4 %p, ptr noundef dereferenceable(16) align 4 %q, i1 noundef %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  store i32 1, ptr %a, align 4, !alias.scope !11
  br i1 %c, label %d, label %n
d:
  call void @llvm.experimental.noalias.scope.decl(metadata !11)
  br label %n
n:
  
  %w = load i32, ptr %b, align 4, !noalias !11
  br label %latch
latch:
  %i1 = add i64 %i, 1
  %k = icmp ult i64 %i1, 2
  br i1 %k, label %loop, label %x
x:
  ret void
}
define void @tgt_access_past_a_scope(ptr noundef dereferenceable(16) align 4 %p, ptr noundef dereferenceable(16) align 4 %q, i1 noundef %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  
  br i1 %c, label %d, label %n
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

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0, i64 1}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
!6 = !{}
!9 = !{!9,!"dom"}
!10 = !{!10, !9, !"s"}
!11 = !{!10}
