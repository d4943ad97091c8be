; What an absolute symbol holds, and which one is passed on, counts.

@abs = external global i8, !absolute_symbol !0
@all = external global i8, !absolute_symbol !1
declare void @use(ptr)

define i8 @src_access() {
  store i8 1, ptr @abs
  %v = load i8, ptr @abs
  ret i8 %v
}
define i8 @tgt_access() {
  store i8 1, ptr @abs
  ret i8 2
}

define void @src_passed() {
  call void @use(ptr @abs)
  ret void
}
define void @tgt_passed() {
  call void @use(ptr @all)
  ret void
}

!0 = !{i64 0, i64 256}
!1 = !{i64 -1, i64 -1}
