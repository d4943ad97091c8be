; The address one past the end of a global may be that of another one.

@g = global i8 0
@h = global i8 0
define i1 @src() {
  %p = getelementptr i8, ptr @g, i64 1
  %c = icmp eq ptr %p, @h
  ret i1 %c
}
define i1 @tgt() {
  ret i1 false
}
