; A parallel loop of more iterations.
; judged parallel_iterations: if @tgt_parallel_iterations keeps !llvm.loop

define void @src_parallel_iterations(ptr noundef align 4 dereferenceable(4) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %v = load i32, ptr %p, align 4, !llvm.access.group !9, !noundef !12
  %w = add i32 %v, 2
  store i32 %w, ptr %p, align 4, !llvm.access.group !9
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 1
  br i1 %c, label %loop, label %exit, !llvm.loop !10
exit:
  ret void
}
define void @tgt_parallel_iterations(ptr noundef align 4 dereferenceable(4) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %v = load i32, ptr %p, align 4, !llvm.access.group !9, !noundef !12
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4, !llvm.access.group !9
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %loop, label %exit, !llvm.loop !10
exit:
  ret void
}
!9 = distinct !{}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.parallel_accesses", !9}
!12 = !{}
