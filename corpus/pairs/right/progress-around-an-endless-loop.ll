; A loop that must make progress is removed with the loop in it, which demands nothing by itself: a run that stays in the
; inner one for ever stays in the outer one.

define void @src(i1 %c, i1 %d) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %latch, label %inner

inner:
  br i1 %d, label %latch, label %inner

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %outer, label %exit, !llvm.loop !0

exit:
  ret void
}

define void @tgt(i1 %c, i1 %d) {
  ret void
}

; What demands progress inside demands none of the loop around.

define void @src_around(i1 %c) {
entry:
  br label %outer

outer:
  br label %inner

inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %inner ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %inner, label %latch, !llvm.loop !2

latch:
  br i1 %c, label %outer, label %exit

exit:
  ret void
}

define void @tgt_around(i1 %c) {
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
