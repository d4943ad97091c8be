; A symbol that is declared `extern_weak` may be null.

@c = extern_weak global i32 
define i1 @src() {
  %v = icmp eq ptr @c, null
  ret i1 %v
}
define i1 @tgt() {
  ret i1 false
}
