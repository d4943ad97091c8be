; A function without effects that is called once, and in each iteration.
; judged answers_of_iterations: if @tgt_answers_of_iterations keeps !tbaa

define void @src_answers_of_iterations(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  store i32 0, ptr %p, align 4
  %z = call i1 @h()
  br label %loop
loop:
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  
  br i1 %d, label %first, label %second
first:
  br i1 %z, label %latch, label %a
a:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %latch
second:
  br i1 %z, label %w, label %latch
w:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %latch
latch:
  br i1 %d, label %loop, label %x
x:
  ret void
}
define void @tgt_answers_of_iterations(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  store i32 0, ptr %p, align 4
  
  br label %loop
loop:
  %d = phi i1 [ true, %entry ], [ false, %latch ]
  %z = call i1 @h()
  br i1 %d, label %first, label %second
first:
  br i1 %z, label %latch, label %a
a:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %latch
second:
  br i1 %z, label %w, label %latch
w:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %latch
latch:
  br i1 %d, label %loop, label %x
x:
  ret void
}

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
!6 = !{}
declare i1 @h() memory(none) nounwind willreturn
