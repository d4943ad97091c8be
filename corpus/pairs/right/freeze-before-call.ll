; a frozen value that is passed to a call can be any value: one that no choice of the target hints at
declare void @g(i64)
define i64 @src() {
  %a = freeze i64 poison
  %b = xor i64 %a, 255
  call void @g(i64 %b)
  ret i64 %a
}
define i64 @tgt() {
  call void @g(i64 7)
  ret i64 248
}
