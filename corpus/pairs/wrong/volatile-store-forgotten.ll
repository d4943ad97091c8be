; A volatile store is a store: what is loaded behind it is what it wrote, not what was there before.

define i8 @src(ptr %p) {
entry:
  %before = load i8, ptr %p
  store volatile i8 7, ptr %p
  %after = load i8, ptr %p
  ret i8 %after
}

define i8 @tgt(ptr %p) {
entry:
  %before = load i8, ptr %p
  store volatile i8 7, ptr %p
  ret i8 %before
}
