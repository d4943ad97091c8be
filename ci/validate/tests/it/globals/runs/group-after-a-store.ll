; A load of an invariant group moves past a store.
; judged group_after_a_store: if @tgt_group_after_a_store keeps !invariant.group

define i32 @src_group_after_a_store(ptr noundef dereferenceable(4) align 4 %p, i32 noundef %x) {
  %v = load i32, ptr %p, align 4, !invariant.group !6
  store i32 %x, ptr %p, align 4
  ret i32 %x
}
define i32 @tgt_group_after_a_store(ptr noundef dereferenceable(4) align 4 %p, i32 noundef %x) {
  %v = load i32, ptr %p, align 4, !invariant.group !6
  store i32 %x, ptr %p, align 4
  %w = load i32, ptr %p, align 4, !invariant.group !6
  ret i32 %w
}

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
!6 = !{}
