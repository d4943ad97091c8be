; Scopes say that the store does not change what is loaded. Neither engine knows them, so nothing is refuted.

define i8 @src(ptr %p, ptr %q) {
  store i8 1, ptr %p, !alias.scope !2
  store i8 2, ptr %q, !noalias !2
  %v = load i8, ptr %p, !alias.scope !2
  ret i8 %v
}
define i8 @tgt(ptr %p, ptr %q) {
  store i8 1, ptr %p, !alias.scope !2
  store i8 2, ptr %q, !noalias !2
  ret i8 1
}
!0 = distinct !{!0, !"d"}
!1 = distinct !{!1, !0, !"s"}
!2 = !{!1}
