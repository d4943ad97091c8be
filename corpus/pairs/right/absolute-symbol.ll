; The address of an absolute symbol lies in a range that the engines do not know. Code that does not look at it is judged.

@abs = external global i8, !absolute_symbol !0
declare void @use(ptr)

define i8 @src_access() {
  store i8 1, ptr @abs
  %v = load i8, ptr @abs
  ret i8 %v
}
define i8 @tgt_access() {
  store i8 1, ptr @abs
  ret i8 1
}

define void @src_passed(i8 noundef %x) {
  %y = mul i8 %x, 2
  store i8 %y, ptr @abs
  call void @use(ptr @abs)
  ret void
}
define void @tgt_passed(i8 noundef %x) {
  %y = shl i8 %x, 1
  store i8 %y, ptr @abs
  call void @use(ptr @abs)
  ret void
}

!0 = !{i64 0, i64 256}
