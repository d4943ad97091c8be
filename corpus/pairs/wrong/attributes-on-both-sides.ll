; Both sides have an attribute, and neither is seen to keep it. A target that breaks it where the source does not is wrong.

@g = global i32 0
@w = global i64 0
@x = global ptr null
declare void @h(ptr)

define i32 @src_reads_first(ptr noundef initializes((0, 4)) dereferenceable(4) align 4 %p, i64 noundef %i) {
  %z = sub i64 %i, %i
  %r = getelementptr i8, ptr %p, i64 %z
  store i32 5, ptr @g
  store i32 5, ptr %r
  ret i32 5
}
define i32 @tgt_reads_first(ptr noundef initializes((0, 4)) dereferenceable(4) align 4 %p, i64 noundef %i) {
  store i32 5, ptr @g
  %c = icmp eq ptr %p, @g
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %p
  store i32 5, ptr %p
  ret i32 %v
b:
  store i32 5, ptr %p
  ret i32 5
}

define void @src_stores(ptr noundef captures(none) %p, ptr noundef %q, i1 noundef %b) {
  br i1 %b, label %a, label %c
a:
  call void @h(ptr %p)
  ret void
c:
  store ptr %q, ptr @x
  ret void
}
define void @tgt_stores(ptr noundef captures(none) %p, ptr noundef %q, i1 noundef %b) {
  br i1 %b, label %a, label %c
a:
  call void @h(ptr %p)
  ret void
c:
  %e = icmp eq ptr %p, %q
  br i1 %e, label %d, label %f
d:
  store ptr %p, ptr @x
  ret void
f:
  store ptr %q, ptr @x
  ret void
}

define i32 @src_other_memory(ptr noundef %p, i64 noundef %i) memory(argmem: readwrite) {
  %n = ptrtoint ptr %p to i64
  %q = inttoptr i64 %n to ptr
  store i32 0, ptr %q
  ret i32 0
}
define i32 @tgt_other_memory(ptr noundef %p, i64 noundef %i) memory(argmem: readwrite) {
  %n = ptrtoint ptr %p to i64
  %q = inttoptr i64 %n to ptr
  store i32 0, ptr %q
  %v = load i32, ptr @g
  %w = and i32 %v, 0
  %c = icmp eq i64 %i, 5
  %r = select i1 %c, i32 %w, i32 0
  ret i32 %r
}

define i32 @src_reads_half(ptr noundef initializes((4, 8)) dereferenceable(8) align 4 %p, i64 noundef %i) {
  %z = sub i64 %i, %i
  %o = add i64 %z, 4
  %r = getelementptr i8, ptr %p, i64 %o
  store i32 5, ptr getelementptr (i8, ptr @w, i64 4)
  store i32 5, ptr %r
  ret i32 5
}
define i32 @tgt_reads_half(ptr noundef initializes((4, 8)) dereferenceable(8) align 4 %p, i64 noundef %i) {
  store i32 5, ptr getelementptr (i8, ptr @w, i64 4)
  %h = getelementptr i8, ptr %p, i64 4
  %c = icmp eq ptr %h, getelementptr (i8, ptr @w, i64 4)
  br i1 %c, label %a, label %b
a:
  %v = load i32, ptr %h
  store i32 5, ptr %h
  ret i32 %v
b:
  store i32 5, ptr %h
  ret i32 5
}
