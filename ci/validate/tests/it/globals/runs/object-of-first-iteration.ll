; The object of the first iteration, and those of others.
; judged object_of_first_iteration: if @tgt_object_of_first_iteration keeps !tbaa

define void @src_object_of_first_iteration() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  %a = alloca i32, align 4
  store i32 0, ptr %a, align 4
  br i1 %d, label %c1, label %fl
fl:
  store float 1.0, ptr %a, align 4, !tbaa !3
  br label %c1
c1:
  br i1 %d, label %acc, label %latch
acc:
  %v = load i32, ptr %a, align 4, !tbaa !1
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %loop, label %x
x:
  ret void
}
define void @tgt_object_of_first_iteration() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  %a = alloca i32, align 4
  store i32 0, ptr %a, align 4
  br i1 %d, label %c1, label %fl
fl:
  store float 1.0, ptr %a, align 4, !tbaa !3
  br label %c1
c1:
  br i1 true, label %acc, label %latch
acc:
  %v = load i32, ptr %a, align 4, !tbaa !1
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %loop, label %x
x:
  ret void
}

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
