; iteration-set-split<at=3>
declare void @use(i32)
define i32 @f(i32 %a, i32 %n, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %in, %l ]
  %c = icmp ult i32 %i, %a
  br i1 %c, label %t, label %l
t:
  call void @use(i32 %i)
  br label %l
l:
  call void @use(i32 7)
  %in = add nuw nsw i32 %i, 1
  %d = icmp ult i32 %in, %n
  br i1 %d, label %h, label %x, !llvm.loop !0
x:
  ret i32 0
}
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"llvm.loop.mustprogress"}
