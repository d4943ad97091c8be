; A load with `!nofpclass` comes after a store in a loop.
; judged class_of_a_later_value: if @tgt_class_of_a_later_value keeps !nofpclass

define float @src_class_of_a_later_value(ptr noalias %p, float %x) {
entry:
  br label %l
l:
  %i = phi i32 [0,%entry],[%i1,%l]
  %a = load float, ptr %p, !nofpclass !0
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %l, label %x1
x1:
  store float %x, ptr %p
  ret float %x
}
define float @tgt_class_of_a_later_value(ptr noalias %p, float %x) {
entry:
  br label %l
l:
  %i = phi i32 [0,%entry],[%i1,%l]
  %a = load float, ptr %p, !nofpclass !0
  store float %x, ptr %p
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %l, label %x1
x1:
  ret float %a
}
!0 = !{i32 3}
