define i8 @add(i8 %x, i8 %y) {
  %r = add i8 %x, %y
  ret i8 %r
}

define i8 @first(ptr %p) {
  %r = load i8, ptr %p
  ret i8 %r
}
