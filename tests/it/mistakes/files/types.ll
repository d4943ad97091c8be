define i8 @src(i8 %x) {
  ret i8 %x
}

define i16 @tgt(i16 %x) {
  ret i16 %x
}
