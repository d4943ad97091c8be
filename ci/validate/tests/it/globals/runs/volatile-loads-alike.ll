; Two volatile loads of one address.
; judged vol: keeps !invariant.load

define void @src_vol(ptr noundef dereferenceable(8) align 8 %p, ptr noundef dereferenceable(8) %q) {
  %v1 = load volatile i64, ptr %q, align 8, !noundef !0
  %v2 = load volatile i64, ptr %q, align 8, !noundef !0
  %a = and i64 %v1, 7
  %g = getelementptr i8, ptr %p, i64 %a
  %x = load i8, ptr %g, align 1, !invariant.load !0
  ret void
}
define void @tgt_vol(ptr noundef dereferenceable(8) align 8 %p, ptr noundef dereferenceable(8) %q) {
  %v1 = load volatile i64, ptr %q, align 8, !noundef !0
  %v2 = load volatile i64, ptr %q, align 8, !noundef !0
  %a = and i64 %v2, 7
  %g = getelementptr i8, ptr %p, i64 %a
  %x = load i8, ptr %g, align 1, !invariant.load !0
  ret void
}
!0 = !{}
