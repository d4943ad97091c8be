; The byte need not have been stored as an i1: then its other bits count too.

define i1 @src(ptr %p) {
  %v = load i8, ptr %p
  %t = trunc i8 %v to i1
  ret i1 %t
}

define i1 @tgt(ptr %p) {
  %v = load i1, ptr %p
  ret i1 %v
}

define i8 @src_whole(ptr %p) {
  %v = load i1, ptr %p
  %z = zext i1 %v to i8
  ret i8 %z
}

define i8 @tgt_whole(ptr %p) {
  %v = load i8, ptr %p
  %z = and i8 %v, 1
  ret i8 %z
}
