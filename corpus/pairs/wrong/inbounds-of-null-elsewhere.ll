; In another address space than 0, an object may lie at null.

define ptr addrspace(1) @src(i64 noundef %i) {
  %q = getelementptr inbounds i8, ptr addrspace(1) null, i64 %i
  ret ptr addrspace(1) %q
}
define ptr addrspace(1) @tgt(i64 noundef %i) {
  ret ptr addrspace(1) null
}
