; `!captures` of a store is about the value that is stored.
; judged capture_of_another_value: if @tgt_capture_of_another_value keeps !captures

define void @src_capture_of_another_value(ptr %p, ptr %r, ptr %q) {
  store ptr %r, ptr %q, !captures !0
  store i8 1, ptr %p
  ret void
}
define void @tgt_capture_of_another_value(ptr %p, ptr %r, ptr %q) {
  store ptr %p, ptr %q, !captures !0
  %l = load ptr, ptr %q
  store ptr %r, ptr %q, !captures !0
  store i8 1, ptr %l
  ret void
}
!0 = !{!"address"}
