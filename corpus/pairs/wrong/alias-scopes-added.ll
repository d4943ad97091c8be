; Scopes say that two pointers do not alias; nobody promised that before.

define i8 @src(ptr %p, ptr %q) {
  store i8 1, ptr %p
  store i8 2, ptr %q
  %v = load i8, ptr %p
  ret i8 %v
}
define i8 @tgt(ptr %p, ptr %q) {
  store i8 1, ptr %p, !alias.scope !2
  store i8 2, ptr %q, !noalias !2
  %v = load i8, ptr %p, !alias.scope !2
  ret i8 %v
}
!0 = distinct !{!0, !"d"}
!1 = distinct !{!1, !0, !"s"}
!2 = !{!1}
