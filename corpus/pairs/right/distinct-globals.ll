; variables that the module defines lie apart, constants whose address counts too
@a = constant i32 1
@b = constant i32 1
define i1 @src() {
  %c = icmp eq ptr @a, @b
  ret i1 %c
}
define i1 @tgt() {
  ret i1 false
}
