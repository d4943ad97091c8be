; Right because of what the source says at its calls. The engines make up answers that break it, so that all they may say
; is that they do not know; where no answer can have to do with the failure they still refute.
declare void @fills(ptr)
declare void @reads(ptr)
declare void @writes(ptr)

; The callee does not read what is in the four bytes before it has written them.
define void @src_initializes(ptr %p) {
  store i32 1, ptr %p
  call void @fills(ptr initializes((0, 4)) %p)
  ret void
}
define void @tgt_initializes(ptr %p) {
  call void @fills(ptr initializes((0, 4)) %p)
  ret void
}

; The callee does not write through the argument, and keeps no pointer to it.
define i32 @src_readonly() {
  %a = alloca i32
  store i32 7, ptr %a
  call void @reads(ptr readonly captures(none) %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_readonly() {
  %a = alloca i32
  store i32 7, ptr %a
  call void @reads(ptr readonly captures(none) %a)
  ret i32 7
}

; No call knows the local any more when the second one writes.
define i32 @src_keeps(ptr %p) {
  %a = alloca i32
  store i32 7, ptr %a
  call void @reads(ptr readonly captures(none) %a)
  call void @writes(ptr %p)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_keeps(ptr %p) {
  %a = alloca i32
  store i32 7, ptr %a
  call void @reads(ptr readonly captures(none) %a)
  call void @writes(ptr %p)
  ret i32 7
}

; A promise may be dropped.
define void @src_drops(ptr %p) {
  store i8 1, ptr %p
  call void @reads(ptr %p) memory(none) nounwind willreturn
  store i8 2, ptr %p
  ret void
}
define void @tgt_drops(ptr %p) {
  call void @reads(ptr %p)
  store i8 2, ptr %p
  ret void
}

; Nothing that was promised has to do with this.
define i32 @src_value(ptr %p) {
  call void @reads(ptr readonly captures(none) %p)
  ret i32 1
}
define i32 @tgt_value(ptr %p) {
  call void @reads(ptr readonly captures(none) %p)
  ret i32 2
}
