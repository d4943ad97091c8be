; A call that only writes does not see a store before it, which the store after it covers.

@g = global i32 0
declare void @write() nounwind willreturn memory(write)

define void @src() {
  store i32 1, ptr @g
  call void @write()
  store i32 2, ptr @g
  ret void
}
define void @tgt() {
  call void @write()
  store i32 2, ptr @g
  ret void
}
