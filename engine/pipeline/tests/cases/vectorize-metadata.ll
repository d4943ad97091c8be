; loop-vectorize<force-vector-width=4;force-vector-interleave=1>,loop-unroll
; The vector loop keeps the metadata of the loop, except for the options that requested vectorization, unless followup
; options replace it.
define void @kept(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 7, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @followed(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 7, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 23
  br i1 %more, label %loop, label %exit, !llvm.loop !5
exit:
  ret void
}
!0 = distinct !{!0, !1, !2, !3, !4}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.vectorize.enable", i1 true}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = !{!"llvm.loop.estimated_trip_count", i32 103}
!5 = distinct !{!5, !2, !6, !7, !8}
!6 = !{!"llvm.loop.vectorize.followup_vectorized", !9}
!7 = !{!"llvm.loop.vectorize.followup_epilogue", !10}
!8 = !{!"llvm.loop.vectorize.followup_all", !11}
!9 = !{!"llvm.loop.unroll.count", i32 5}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = !{!"llvm.loop.mustprogress"}
