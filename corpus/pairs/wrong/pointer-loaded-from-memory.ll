; a pointer in initial memory may lead to what another argument points to
define i32 @src(ptr %p, ptr %s) {
  %q = load ptr, ptr %p, align 8
  store i32 1, ptr %q, align 4
  store i32 2, ptr %s, align 4
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
define i32 @tgt(ptr %p, ptr %s) {
  %q = load ptr, ptr %p, align 8
  store i32 1, ptr %q, align 4
  store i32 2, ptr %s, align 4
  ret i32 1
}
