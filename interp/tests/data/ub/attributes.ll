; What attributes and metadata promise of values: poison where they are broken, UB together with noundef.

; noundef that stands on the definition only: the call says nothing.
; @calls_noundef(poison) -> ub noundef-violated
; @calls_noundef(undef) -> ub noundef-violated
; @calls_noundef(1) -> i8 1
define i8 @calls_noundef(i8 %x) {
  %r = call i8 @wants_noundef(i8 %x)
  ret i8 %r
}
define i8 @wants_noundef(i8 noundef %x) {
  ret i8 1
}
; noundef at the call alone.
; @noundef_at_call(poison) -> ub noundef-violated
; @noundef_at_call(4) -> i8 1
define i8 @noundef_at_call(i8 %x) {
  %r = call i8 @wants_nothing(i8 noundef %x)
  ret i8 %r
}
define i8 @wants_nothing(i8 %x) {
  ret i8 1
}
; @entry_noundef(poison) -> ub noundef-violated
; @entry_noundef(undef) -> ub noundef-violated
; @entry_noundef(3) -> i8 0
define i8 @entry_noundef(i8 noundef %x) {
  ret i8 0
}
; @ret_noundef(poison) -> ub noundef-violated
; @ret_noundef(undef) -> ub noundef-violated
; @ret_noundef(3) -> i8 3
define noundef i8 @ret_noundef(i8 %x) {
  ret i8 %x
}
; @ret_noundef_at_call(poison) -> ub noundef-violated
define i8 @ret_noundef_at_call(i8 %x) {
  %r = call noundef i8 @identity(i8 %x)
  ret i8 0
}
define i8 @identity(i8 %x) {
  ret i8 %x
}
; One undef bit is too many.
; @entry_noundef_part(undef) -> ub noundef-violated
define i8 @entry_noundef_part(i1 %b) {
  %z = zext i1 %b to i8
  %r = call i8 @wants_noundef(i8 %z)
  ret i8 %r
}
; @entry_noundef_vector({1, poison}) -> ub noundef-violated
define i8 @entry_noundef_vector(<2 x i8> noundef %v) {
  ret i8 0
}
; @entry_nonnull(null) -> poison
; @entry_nonnull(zeros:1) -> i1 false
define i1 @entry_nonnull(ptr nonnull %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}
; Broken, but no one looks.
; @entry_nonnull_unused(null) -> i8 0
define i8 @entry_nonnull_unused(ptr nonnull %p) {
  ret i8 0
}
; @entry_nonnull_noundef(null) -> ub noundef-violated
define i8 @entry_nonnull_noundef(ptr nonnull noundef %p) {
  ret i8 0
}
; @entry_align(zeros:8+1) -> poison
; @entry_align(zeros:8) -> i1 false
define i1 @entry_align(ptr align 4 %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}
; @entry_align_noundef(zeros:8+2) -> ub noundef-violated
; @entry_align_noundef(null) -> i8 0
define i8 @entry_align_noundef(ptr noundef align 4 %p) {
  ret i8 0
}
; @entry_range(5) -> poison
; @entry_range(4) -> i8 4
define i8 @entry_range(i8 range(i8 0, 5) %x) {
  ret i8 %x
}
; @entry_range_noundef(5) -> ub noundef-violated
; @entry_range_noundef(0) -> i8 0
define i8 @entry_range_noundef(i8 noundef range(i8 0, 5) %x) {
  ret i8 %x
}
; A range that wraps around.
; @entry_range_wrapped(3) -> poison
; @entry_range_wrapped(-1) -> i8 -1
define i8 @entry_range_wrapped(i8 range(i8 -2, 2) %x) {
  ret i8 %x
}
; @ret_range(9) -> poison
define range(i8 0, 5) i8 @ret_range(i8 %x) {
  ret i8 %x
}
; @call_range(9) -> poison
; @call_range(2) -> i8 2
define i8 @call_range(i8 %x) {
  %r = call range(i8 0, 5) i8 @identity(i8 %x)
  ret i8 %r
}
; @call_range_noundef(9) -> ub noundef-violated
define i8 @call_range_noundef(i8 %x) {
  %r = call noundef range(i8 0, 5) i8 @identity(i8 %x)
  ret i8 %r
}
; @entry_dereferenceable(zeros:3) -> ub noundef-violated
; @entry_dereferenceable(zeros:4) -> i8 0
define i8 @entry_dereferenceable(ptr noundef dereferenceable(4) %p) {
  ret i8 0
}
; @entry_dereferenceable_or_null(null) -> i8 0
; @entry_dereferenceable_or_null(zeros:3) -> ub noundef-violated
define i8 @entry_dereferenceable_or_null(ptr noundef dereferenceable_or_null(4) %p) {
  ret i8 0
}
; @load_range(bytes:05) -> poison
; @load_range(bytes:04) -> i8 4
define i8 @load_range(ptr %p) {
  %r = load i8, ptr %p, !range !0
  ret i8 %r
}
; @load_range_noundef(bytes:05) -> ub noundef-violated
; @load_range_noundef(bytes:00) -> i8 0
define i8 @load_range_noundef(ptr %p) {
  %r = load i8, ptr %p, !range !0, !noundef !1
  ret i8 %r
}
; @load_noundef(bytes:pp) -> ub noundef-violated
; @load_noundef(bytes:??) -> ub noundef-violated
; @load_noundef(bytes:07) -> i8 7
define i8 @load_noundef(ptr %p) {
  %r = load i8, ptr %p, !noundef !1
  ret i8 %r
}
; undef: @load_noundef_uninitialised() -> ub noundef-violated
; poison: @load_noundef_uninitialised() -> ub noundef-violated
define i8 @load_noundef_uninitialised() {
  %p = alloca i8
  %r = load i8, ptr %p, !noundef !1
  ret i8 %r
}
; @load_nonnull(zeros:8) -> poison
define i1 @load_nonnull(ptr %p) {
  %q = load ptr, ptr %p, !nonnull !1
  %r = icmp eq ptr %q, null
  ret i1 %r
}
; @load_nonnull_noundef(zeros:8) -> ub noundef-violated
define i1 @load_nonnull_noundef(ptr %p) {
  %q = load ptr, ptr %p, !nonnull !1, !noundef !1
  %r = icmp eq ptr %q, null
  ret i1 %r
}
; @load_align(zeros:8) -> i1 true
define i1 @load_align(ptr %p) {
  %q = load ptr, ptr %p, !align !2
  %r = icmp eq ptr %q, null
  ret i1 %r
}
!0 = !{i8 0, i8 5}
!1 = !{}
!2 = !{i64 4}
; `returned`: where the function returns something else than the argument, callers may see either.
; @returns_its_argument(3) -> i8 3
; @returns_its_argument(poison) -> poison
define i8 @returns_its_argument(i8 returned %x) {
  ret i8 %x
}
; @returns_another(3) -> poison
; @returns_another(4) -> i8 4
define i8 @returns_another(i8 returned %x) {
  ret i8 4
}
; @returns_poison(3) -> poison
define i8 @returns_poison(i8 returned %x) {
  ret i8 poison
}
; @returned_at_call(3) -> poison
; @returned_at_call(4) -> i8 4
define i8 @returned_at_call(i8 %x) {
  %r = call i8 @gives_four(i8 returned %x)
  ret i8 %r
}
define i8 @gives_four(i8 %x) {
  ret i8 4
}
; @returned_noundef(3) -> ub noundef-violated
define noundef i8 @returned_noundef(i8 returned %x) {
  ret i8 4
}
; The same place in the same object, though the parameter is noalias.
; @returns_pointer(zeros:4) -> i1 true
define i1 @returns_pointer(ptr %p) {
  %q = call ptr @restricted(ptr %p)
  store i8 1, ptr %p
  store i8 2, ptr %q
  %r = icmp eq ptr %p, %q
  ret i1 %r
}
define ptr @restricted(ptr noalias returned %p) {
  store i8 0, ptr %p
  ret ptr %p
}
; @returns_next_byte(zeros:4) -> poison
define ptr @returns_next_byte(ptr returned %p) {
  %q = getelementptr i8, ptr %p, i64 1
  ret ptr %q
}
; An external function keeps it.
; @external_returned(3) -> i1 true
; @external_returned(poison) -> poison
define i1 @external_returned(i8 %x) {
  %r = call i8 @keeps(i8 %x)
  %c = icmp eq i8 %r, %x
  ret i1 %c
}
declare i8 @keeps(i8 returned) nounwind willreturn memory(none)
