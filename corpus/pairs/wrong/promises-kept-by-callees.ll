; The functions that are called keep what is promised of them, so nothing excuses the targets.

define internal i32 @g_tail() {
  ret i32 3
}
define i32 @src_tail() {
  %a = alloca i32
  store i32 1, ptr %a
  %v = tail call i32 @g_tail()
  %w = load i32, ptr %a
  ret i32 %w
}
define i32 @tgt_tail() {
  ret i32 7
}

define internal i32 @g_captures(ptr captures(none) %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @src_captures() {
  %a = alloca i32
  store i32 1, ptr %a
  %v = call i32 @g_captures(ptr captures(none) readonly %a)
  ret i32 %v
}
define i32 @tgt_captures() {
  ret i32 7
}

declare noalias ptr @malloc(i64)
define internal noalias ptr @g_new() {
  %p = call ptr @malloc(i64 4)
  ret ptr %p
}
define i32 @src_new() {
  %p = call ptr @g_new()
  ret i32 1
}
define i32 @tgt_new() {
  ret i32 7
}

define internal void @g_initializes(ptr initializes((0, 4)) %p) {
  store i32 3, ptr %p
  ret void
}
define i32 @src_initializes() {
  %a = alloca i32
  call void @g_initializes(ptr initializes((0, 4)) %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_initializes() {
  ret i32 7
}

declare i32 @k(i32)
define internal i32 @g_nofree(i32 %x) nofree {
  %v = call i32 @k(i32 %x)
  ret i32 %v
}
define i32 @src_nofree(i32 %x) {
  %v = call i32 @g_nofree(i32 %x)
  ret i32 %v
}
define i32 @tgt_nofree(i32 %x) {
  %v = call i32 @g_nofree(i32 %x)
  ret i32 7
}
