; A declared function that is called by another type than its own is one that nobody knows.

declare void @f()

define i32 @src(i32 %x) {
  call void (...) @f()
  %r = call i32 @f(i32 %x)
  %d = add i32 %r, 0
  ret i32 %d
}
define i32 @tgt(i32 %x) {
  call void (...) @f()
  %r = call i32 @f(i32 %x)
  ret i32 %r
}
