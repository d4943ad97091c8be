; the block behind an argument may lie at any address: its low bits are not zero
define i64 @src(ptr noalias %p) {
  %v = load i32, ptr %p, align 1
  %a = ptrtoint ptr %p to i64
  %m = and i64 %a, 7
  ret i64 %m
}
define i64 @tgt(ptr noalias %p) {
  %v = load i32, ptr %p, align 1
  %a = ptrtoint ptr %p to i64
  %m = and i64 %a, 3
  ret i64 %m
}
