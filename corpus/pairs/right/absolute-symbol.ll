; The address of an absolute symbol lies in a range that the engines do not know, and may be null. What does not look at
; addresses is judged.

@abs = external global i8, !absolute_symbol !0
@all = external global i8, !absolute_symbol !1
@p = global ptr @abs
declare void @use(ptr)

define i1 @src_range() {
  %p = ptrtoint ptr @abs to i64
  %c = icmp ult i64 %p, 256
  ret i1 %c
}
define i1 @tgt_range() {
  ret i1 true
}

define i1 @src_null() {
  %c = icmp eq ptr @abs, null
  ret i1 %c
}
define i1 @tgt_null() {
  ret i1 false
}

define i64 @src_constant() {
  ret i64 ptrtoint (ptr @abs to i64)
}
define i64 @tgt_constant() {
  %n = and i64 ptrtoint (ptr @abs to i64), 255
  ret i64 %n
}

define i1 @src_in_callee() {
  %c = call i1 @is_low(ptr @abs)
  ret i1 %c
}
define i1 @tgt_in_callee() {
  ret i1 true
}
define internal i1 @is_low(ptr %q) {
  %n = ptrtoint ptr %q to i64
  %c = icmp ult i64 %n, 256
  ret i1 %c
}

define i1 @src_loaded() {
  %q = load ptr, ptr @p
  %c = icmp eq ptr %q, null
  %d = icmp eq ptr @all, null
  %r = or i1 %c, %d
  ret i1 %r
}
define i1 @tgt_loaded() {
  %q = load ptr, ptr @p
  %c = icmp eq ptr %q, null
  ret i1 %c
}

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
!1 = !{i64 -1, i64 -1}
