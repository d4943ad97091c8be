; in another address space than 0 a variable may lie at null
@g = addrspace(1) global i32 0
define i1 @src() {
  %c = icmp eq ptr addrspace(1) @g, null
  ret i1 %c
}
define i1 @src.cast() {
  %i = ptrtoint ptr addrspace(1) @g to i64
  %c = icmp eq i64 %i, 0
  ret i1 %c
}
define i1 @tgt() {
  ret i1 false
}
