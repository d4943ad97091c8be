; an address that has more bits than a narrowed use keeps
define i64 @src(ptr %p) {
  %v = load i8, ptr %p
  %a = ptrtoint ptr %p to i64
  ret i64 %a
}
define i64 @tgt(ptr %p) {
  %v = load i8, ptr %p
  %a = ptrtoint ptr %p to i64
  %m = and i64 %a, 1048575
  ret i64 %m
}
