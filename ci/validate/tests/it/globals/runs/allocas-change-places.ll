; Two allocas of one type.
; judged allocas: keeps !invariant.load

define i64 @src_allocas() {
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  store i64 1, ptr %a, align 8
  %u = load i64, ptr %b, align 8, !invariant.load !0
  %r = load i64, ptr %a, align 8
  ret i64 %r
}
define i64 @tgt_allocas() {
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  store i64 1, ptr %b, align 8
  %r = load i64, ptr %b, align 8, !invariant.load !0
  ret i64 %r
}
!0 = !{}
