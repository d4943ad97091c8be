; A different one of two loops ends before an access.
; judged loop_that_ends: if @tgt_loop_that_ends keeps !tbaa

define void @src_loop_that_ends(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  br label %l
l:
  br i1 true, label %l, label %m
m:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %l2
l2:
  br i1 false, label %l2, label %e
e:
  ret void
}
define void @tgt_loop_that_ends(ptr noundef align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  br label %l
l:
  br i1 false, label %l, label %m
m:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %l2
l2:
  br i1 true, label %l2, label %e
e:
  ret void
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
