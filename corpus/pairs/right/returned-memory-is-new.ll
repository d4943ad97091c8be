; memory that a noalias call returns is not what an argument points to
declare noalias ptr @allocate(i64) 
define i8 @src(ptr %q) {
  %p = call ptr @allocate(i64 4)
  store i8 1, ptr %p
  store i8 2, ptr %q
  %r = load i8, ptr %p
  ret i8 %r
}
define i8 @tgt(ptr %q) {
  %p = call ptr @allocate(i64 4)
  store i8 1, ptr %p
  store i8 2, ptr %q
  ret i8 1
}
