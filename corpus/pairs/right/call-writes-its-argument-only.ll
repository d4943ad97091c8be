; A call that writes memory of its arguments only leaves another global alone. The solver lets it write all memory
; and says so.

declare i32 @f(ptr) memory(argmem: readwrite)
@g = global i8 0
@h = global i8 0
define i8 @src() {
  store i8 3, ptr @g
  %z = call i32 @f(ptr @h)
  %v = load i8, ptr @g
  ret i8 %v
}
define i8 @tgt() {
  store i8 3, ptr @g
  %z = call i32 @f(ptr @h)
  ret i8 3
}
