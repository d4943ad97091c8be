; A phi of one value that may be poison, before a freeze.
; judged poison_of_phi: if @tgt_poison_of_phi keeps !tbaa

define void @src_poison_of_phi(ptr noundef dereferenceable(8) align 4 %p, ptr noundef dereferenceable(8) align 4 %q, float noundef %x) {
entry:
  br label %k
k:
  %y = phi float [ %x, %entry ]
  %z = freeze float %y
  %c = fcmp ord float %z, 0.0
  %i = zext i1 %c to i64
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a, align 4, !tbaa !1
  store float 1.0, ptr %q, align 4, !tbaa !3
  ret void
}
define void @tgt_poison_of_phi(ptr noundef dereferenceable(8) align 4 %p, ptr noundef dereferenceable(8) align 4 %q, float noundef %x) {
entry:
  br label %k
k:
  %y = phi nnan float [ %x, %entry ]
  %z = freeze float %y
  %c = fcmp ord float %z, 0.0
  %i = zext i1 %c to i64
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a, align 4, !tbaa !1
  store float 1.0, ptr %q, align 4, !tbaa !3
  ret void
}

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
!6 = !{}
