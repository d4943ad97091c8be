; An access of a parallel loop in its first iteration, and in all.
; judged group_in_first_iteration: if @tgt_group_in_first_iteration keeps !llvm.access.group

define void @src_group_in_first_iteration(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  br i1 %d, label %acc, label %latch
acc:
  store i32 7, ptr %p, align 4, !llvm.access.group !20
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 3
  br i1 %c, label %loop, label %x, !llvm.loop !21
x:
  ret void
}
define void @tgt_group_in_first_iteration(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  br i1 true, label %acc, label %latch
acc:
  store i32 7, ptr %p, align 4, !llvm.access.group !20
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 3
  br i1 %c, label %loop, label %x, !llvm.loop !21
x:
  ret void
}
!20 = distinct !{}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.parallel_accesses", !20}
