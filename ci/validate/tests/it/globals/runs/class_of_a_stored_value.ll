; A load with `!nofpclass` comes after a store of another value.
; judged class_of_a_stored_value: if @tgt_class_of_a_stored_value keeps !nofpclass

define float @src_class_of_a_stored_value(ptr %p, float %x) {
  %a = load float, ptr %p, !nofpclass !0
  store float %x, ptr %p
  ret float %x
}
define float @tgt_class_of_a_stored_value(ptr %p, float %x) {
  store float %x, ptr %p
  %a = load float, ptr %p, !nofpclass !0
  ret float %a
}
!0 = !{i32 3}
