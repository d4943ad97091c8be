; loop-unroll-full
declare void @use(i32)
define void @f(i32 %m, i32 %n) {
entry:
  br label %o
o:
  %i = phi i32 [ 0, %entry ], [ %in, %ol ]
  %q = lshr i32 %i, 1
  call void @use(i32 %q)
  br label %ih
ih:
  %j = phi i32 [ 0, %o ], [ %jn, %ih ]
  call void @use(i32 %j)
  %jn = add nuw i32 %j, 1
  %jd = icmp ult i32 %jn, %m
  br i1 %jd, label %ih, label %ol, !llvm.loop !0
ol:
  %in = add nuw i32 %i, 1
  %d = icmp ult i32 %in, 4
  br i1 %d, label %o, label %x
x:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
