; loop-peel<count=2>
declare void @use(i32)

define void @f(i32 %n) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %in, %h ]
  call void @use(i32 %i)
  %in = add nuw nsw i32 %i, 1
  %d = icmp ult i32 %in, %n
  br i1 %d, label %h, label %x, !llvm.loop !0
x:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.estimated_trip_count", i32 5}
