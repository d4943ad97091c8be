; Another value is stored to memory of an invariant group.
; judged group_of_another_value: if @tgt_group_of_another_value keeps !invariant.group

define i32 @src_group_of_another_value(ptr noundef dereferenceable(4) align 4 %p) {
  store i32 1, ptr %p, align 4, !invariant.group !6
  %v = load i32, ptr %p, align 4, !invariant.group !6
  ret i32 %v
}
define i32 @tgt_group_of_another_value(ptr noundef dereferenceable(4) align 4 %p) {
  store i32 2, ptr %p, align 4, !invariant.group !6
  store i32 1, ptr %p, align 4, !invariant.group !6
  %v = load i32, ptr %p, align 4, !invariant.group !6
  ret i32 %v
}

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0, i64 1}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
!6 = !{}
!9 = !{!9,!"dom"}
!10 = !{!10, !9, !"s"}
!11 = !{!10}
