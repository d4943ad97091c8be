; noundef on an argument and on the return value turns poison into undefined behaviour.

define noundef i32 @ret(i32 %x) {
  ret i32 %x
}

define i32 @arg(i32 noundef %x) {
  ret i32 1
}

define i32 @f(i32 %x, i1 %c) {
entry:
  br i1 %c, label %a, label %b

a:
  %r = call i32 @ret(i32 %x)
  ret i32 %r

b:
  %s = call i32 @arg(i32 noundef %x)
  ret i32 %s
}
