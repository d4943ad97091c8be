; Both sides have an attribute that neither is seen to keep, and the code changes elsewhere.

@x = global ptr null
declare void @h(ptr)

define i32 @src_call(ptr noundef captures(none) %p, i32 noundef %a) {
  call void @h(ptr %p)
  %r = add i32 %a, %a
  ret i32 %r
}
define i32 @tgt_call(ptr noundef captures(none) %p, i32 noundef %a) {
  call void @h(ptr %p)
  %r = shl i32 %a, 1
  ret i32 %r
}

define i32 @src_kept(ptr noundef initializes((0, 4)) %p, i32 noundef %a) {
  store i32 %a, ptr %p
  %r = add i32 %a, %a
  ret i32 %r
}
define i32 @tgt_kept(ptr noundef initializes((0, 4)) %p, i32 noundef %a) {
  %r = shl i32 %a, 1
  store i32 %a, ptr %p
  ret i32 %r
}

define i32 @src_same(ptr noundef initializes((0, 4)) %p, i64 noundef %i) {
  %q = getelementptr i8, ptr %p, i64 %i
  store i32 0, ptr %q
  ret i32 0
}
define i32 @tgt_same(ptr noundef initializes((0, 4)) %p, i64 noundef %i) {
  %q = getelementptr i8, ptr %p, i64 %i
  store i32 0, ptr %q
  ret i32 0
}

define i32 @src_unwinds(ptr noundef %p, i32 noundef %a) nounwind memory(readwrite) {
  call void @h(ptr %p)
  %r = mul i32 %a, 2
  ret i32 %r
}
define i32 @tgt_unwinds(ptr noundef %p, i32 noundef %a) nounwind memory(readwrite) {
  call void @h(ptr %p)
  %r = shl i32 %a, 1
  ret i32 %r
}

define i32 @src_readonly(ptr noundef readonly captures(none) %p, ptr noundef %q, i32 noundef %n) {
  %v = load i32, ptr %p
  store i32 %v, ptr %q
  call void @h(ptr %p)
  %r = mul i32 %n, 2
  ret i32 %r
}
define i32 @tgt_readonly(ptr noundef readonly captures(none) %p, ptr noundef %q, i32 noundef %n) {
  %v = load i32, ptr %p
  store i32 %v, ptr %q
  call void @h(ptr %p)
  %r = shl i32 %n, 1
  ret i32 %r
}

; The source must have written it as well, or it is undefined.
define i32 @src_read_in_both(ptr noundef initializes((0, 4)) dereferenceable(4) %p, i32 noundef %a) {
  %v = load i32, ptr %p
  store i32 %a, ptr %p
  %r = mul i32 %a, 2
  %s = xor i32 %v, %r
  ret i32 %s
}
define i32 @tgt_read_in_both(ptr noundef initializes((0, 4)) dereferenceable(4) %p, i32 noundef %a) {
  %v = load i32, ptr %p
  store i32 %a, ptr %p
  %r = shl i32 %a, 1
  %s = xor i32 %v, %r
  ret i32 %s
}
