; The address of a global passes through an integer: the constant expression exposes the global, so that the pointer
; made from the integer may access it.

@g = internal global i32 7

define i32 @src() {
  %v = load i32, ptr @g
  ret i32 %v
}

define i32 @tgt() {
  %a = add i64 ptrtoint (ptr @g to i64), 0
  %p = inttoptr i64 %a to ptr
  %v = load i32, ptr %p
  ret i32 %v
}
