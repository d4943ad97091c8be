; a variadic function reads its arguments by their types, and so does whoever is called through a pointer
declare void @va(i32, ...)
define void @integer() {
  call void (i32, ...) @va(i32 1, i64 0)
  ret void
}
define void @float() {
  call void (i32, ...) @va(i32 1, double 0.0)
  ret void
}
define void @narrow() {
  call void (i32, ...) @va(i32 1, i32 0)
  ret void
}
define i32 @called(ptr %f) {
  %v = call i32 %f(i32 0)
  ret i32 %v
}
define i32 @called.float(ptr %f) {
  %v = call i32 %f(float 0.0)
  ret i32 %v
}
