; loop-vectorize
; A call; memory that each iteration reads from the previous one; an uncountable loop.
declare void @ext()
define void @called(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @ext()
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @before(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %from
  %i.next = add nuw nsw i64 %i, 1
  %to = getelementptr inbounds i32, ptr %p, i64 %i.next
  store i32 %v, ptr %to
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @unknown(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i1, ptr %p
  br i1 %v, label %loop, label %exit
exit:
  ret void
}
define void @asked(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %to = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 1000
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 false}
