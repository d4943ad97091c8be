; Stored memory temporarily holds another value.
; judged restored_beside_writable: if @tgt_restored_beside_writable keeps !invariant.load

define i32 @src_restored_beside_writable(ptr noundef writable align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  %o = load i32, ptr %p, align 4, !noundef !0
  %v = load i32, ptr %q, align 4, !invariant.load !0, !noundef !0
  ret i32 %v
}
define i32 @tgt_restored_beside_writable(ptr noundef writable align 4 dereferenceable(4) %p, ptr noundef align 4 dereferenceable(4) %q) {
  %o = load i32, ptr %p, align 4, !noundef !0
  %n = xor i32 %o, -1
  store i32 %n, ptr %p, align 4
  store i32 %o, ptr %p, align 4
  %v = load i32, ptr %q, align 4, !invariant.load !0, !noundef !0
  ret i32 %v
}
!0 = !{}
