; simple-loop-unswitch<nontrivial>
; Branches on a value that the header loads: the outcome stays the same while the loop takes the successor without
; writes. Not transformed if both successors write, or if metadata marks the loop as already transformed.
declare void @effect(i32)
declare void @look() memory(read) nounwind willreturn

define i32 @while_true(ptr %p, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i8, ptr %p, i64 4
  %v = load i32, ptr %q
  %c = icmp eq i32 %v, 100
  br i1 %c, label %quiet, label %loud
quiet:
  call void @look()
  br label %latch
loud:
  call void @effect(i32 %i)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out, !llvm.loop !0
out:
  ret i32 %v
}

define void @while_false(ptr noalias %p, ptr noalias %q, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = load i1, ptr %p
  store i32 %i, ptr %q
  br i1 %c, label %loud, label %latch
loud:
  call void @effect(i32 %i)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}

define void @both_write(ptr %p, ptr %q, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = load i1, ptr %p
  br i1 %c, label %loud, label %latch
loud:
  call void @effect(i32 %i)
  br label %latch
latch:
  store i32 %i, ptr %q
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out
out:
  ret void
}

define void @done(ptr %p, i32 %n) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = load i1, ptr %p
  br i1 %c, label %loud, label %latch
loud:
  call void @effect(i32 %i)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %header, label %out, !llvm.loop !2
out:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unswitch.partial.disable"}
