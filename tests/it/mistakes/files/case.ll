; backedge-case: {"nothing": 1}
define i8 @src(i8 %x) {
  ret i8 %x
}

define i8 @tgt(i8 %x) {
  ret i8 0
}
