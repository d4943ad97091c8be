; An empty block changes nothing.
; judged pre: refines, all iterations

define void @src_pre(ptr noundef %p, ptr noundef %q, i64 noundef %n) {
entry:
  %c0 = icmp eq i64 %n, 0
  br i1 %c0, label %exit, label %h
h:
  %i = phi i64 [ %i1, %h ], [ 0, %entry ]
  %g = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %g, align 4, !tbaa !2
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %h, label %exit
exit:
  ret void
}
define void @tgt_pre(ptr noundef %p, ptr noundef %q, i64 noundef %n) {
entry:
  %c0 = icmp eq i64 %n, 0
  br i1 %c0, label %exit, label %ph
ph:
  br label %h
h:
  %i = phi i64 [ %i1, %h ], [ 0, %ph ]
  %g = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %g, align 4, !tbaa !2
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, %n
  br i1 %c, label %h, label %exit
exit:
  ret void
}
!1 = !{!"root"}
!2 = !{!4, !4, i64 0}
!3 = !{!5, !5, i64 0}
!4 = !{!"a", !1}
!5 = !{!"b", !1}
