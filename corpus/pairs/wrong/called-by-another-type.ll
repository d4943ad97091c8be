; Calls of one function by two types are two calls.

declare void @f()

define i32 @src(i32 %x) {
  %r = call i32 @f(i32 %x)
  ret i32 %r
}
define i32 @tgt(i32 %x) {
  %r = call i32 (...) @f(i32 %x)
  ret i32 %r
}
