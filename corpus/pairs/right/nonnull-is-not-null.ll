; An argument that is `nonnull noundef` does not compare equal to null, wherever it points: its address is not zero,
; not even that of a pointer that lies before a block at a low address.

define i1 @src(ptr nonnull noundef %p) {
entry:
  %null = icmp eq ptr %p, null
  ret i1 %null
}

define i1 @tgt(ptr nonnull noundef %p) {
entry:
  ret i1 false
}
