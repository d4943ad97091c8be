; Memory that a noalias call returns is not written by later calls, and nobody reads it after the function.

declare noalias ptr @allocate(i64)
declare void @other()

define i8 @src_kept() {
  %p = call ptr @allocate(i64 4)
  store i8 3, ptr %p
  call void @other()
  %r = load i8, ptr %p
  ret i8 %r
}
define i8 @tgt_kept() {
  %p = call ptr @allocate(i64 4)
  store i8 3, ptr %p
  call void @other()
  ret i8 3
}

define void @src_dead() {
  %p = call ptr @allocate(i64 4)
  store i8 3, ptr %p
  call void @other()
  ret void
}
define void @tgt_dead() {
  %p = call ptr @allocate(i64 4)
  call void @other()
  ret void
}
