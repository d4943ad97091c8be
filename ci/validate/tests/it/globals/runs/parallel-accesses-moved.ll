; Accesses that move to a parallel loop.
; judged parallel_accesses_moved: if @tgt_parallel_accesses_moved keeps !llvm.access.group

define void @src_parallel_accesses_moved(ptr noundef align 4 dereferenceable(4) %p) {
entry:
  br label %l1
l1:
  %i = phi i32 [0, %entry], [%i1, %l1]
  %v = load i32, ptr %p, align 4, !llvm.access.group !9, !noundef !12
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4, !llvm.access.group !9
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %l1, label %l2
l2:
  %j = phi i32 [0, %l1], [%j1, %l2]
  %j1 = add i32 %j, 1
  %d = icmp ult i32 %j1, 2
  br i1 %d, label %l2, label %exit, !llvm.loop !10
exit:
  ret void
}
define void @tgt_parallel_accesses_moved(ptr noundef align 4 dereferenceable(4) %p) {
entry:
  br label %l1
l1:
  %i = phi i32 [0, %entry], [%i1, %l1]
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %l1, label %l2
l2:
  %j = phi i32 [0, %l1], [%j1, %l2]
  %v = load i32, ptr %p, align 4, !llvm.access.group !9, !noundef !12
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4, !llvm.access.group !9
  %j1 = add i32 %j, 1
  %d = icmp ult i32 %j1, 2
  br i1 %d, label %l2, label %exit, !llvm.loop !10
exit:
  ret void
}
!9 = distinct !{}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.parallel_accesses", !9}
!12 = !{}
