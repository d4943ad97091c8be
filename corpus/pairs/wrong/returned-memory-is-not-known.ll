; a call returns a pointer to memory that nobody has named: what it holds is not known
declare ptr @make()
define i32 @src() {
  %q = call ptr @make()
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
define i32 @tgt() {
  %q = call ptr @make()
  %v = load i32, ptr %q, align 4
  %w = and i32 %v, 65535
  ret i32 %w
}
