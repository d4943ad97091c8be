; Where a global lies is not for the function to know: runs that put it low prove nothing.

@g = global i8 0
define i1 @src() {
  %i = ptrtoint ptr @g to i64
  %c = icmp ult i64 %i, 65536
  ret i1 %c
}
define i1 @tgt() {
  ret i1 true
}
