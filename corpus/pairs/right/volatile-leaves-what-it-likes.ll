; What LLVM's passes take for granted of volatile accesses, though LangRef says that they may change the memory at their
; address and read it: neither shown to be right nor refuted.

; gvn and instcombine forward what a volatile store stores.
define i32 @src_stored(ptr noundef %p) {
  store volatile i32 6, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_stored(ptr noundef %p) {
  store volatile i32 6, ptr %p
  ret i32 6
}

; They forward what a volatile load gives.
define i32 @src_loaded(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_loaded(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  ret i32 %w
}

; dse removes a store that a volatile store overwrites.
define void @src_overwritten(ptr noundef %p) {
  store i32 5, ptr %p
  store volatile i32 6, ptr %p
  ret void
}
define void @tgt_overwritten(ptr noundef %p) {
  store volatile i32 6, ptr %p
  ret void
}

; It removes a store of what a volatile load gave.
define void @src_stored_back(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  store i32 %w, ptr %p
  ret void
}
define void @tgt_stored_back(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  ret void
}

; LangRef: the type of an access may not become a floating-point one. Runs do not tell types apart.
define void @src_type(ptr noundef %p) {
  %w = load volatile i32, ptr %p
  ret void
}
define void @tgt_type(ptr noundef %p) {
  %w = load volatile float, ptr %p
  ret void
}
