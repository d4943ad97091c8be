; two blocks of the caller may lie in any order at any distance
define i1 @src(ptr %p, ptr %q) {
  %v = load i8, ptr %p
  %w = load i8, ptr %q
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %d = sub i64 %b, %a
  %c = icmp eq i64 %d, 4096
  ret i1 %c
}
define i1 @tgt(ptr %p, ptr %q) {
  %v = load i8, ptr %p
  %w = load i8, ptr %q
  ret i1 false
}
