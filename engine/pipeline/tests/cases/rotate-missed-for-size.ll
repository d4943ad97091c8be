; loop-rotate
; A minsize function gets no header copies, unless the loop is to be vectorized.
declare void @g(i32)
define void @f(i32 %n) minsize {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %out
body:
  call void @g(i32 %i)
  %i.next = add i32 %i, 1
  br label %head
out:
  ret void
}
define void @asked(i32 %n) minsize {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %out
body:
  call void @g(i32 %i)
  %i.next = add i32 %i, 1
  br label %head, !llvm.loop !0
out:
  ret void
}
define void @small(i32 %n) optsize {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %out
body:
  call void @g(i32 %i)
  %i.next = add i32 %i, 1
  br label %head
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
