; Poison and undef through memory, bit by bit; uninitialised memory under both readings.

; @through(poison) -> poison
; @through(undef) -> undef
define i8 @through(i8 %x) {
  %p = alloca i8
  store i8 %x, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}
; undef: @uninitialised() -> undef
; poison: @uninitialised() -> poison
define i8 @uninitialised() {
  %p = alloca i8
  %r = load i8, ptr %p
  ret i8 %r
}
; One byte of poison is enough to poison the word.
; @word_with_poison_byte(poison) -> poison
; @word_with_poison_byte(undef) -> i16 0b????????00000001
define i16 @word_with_poison_byte(i8 %x) {
  %p = alloca i16
  store i16 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  store i8 %x, ptr %q
  %r = load i16, ptr %p
  ret i16 %r
}
; The other byte is as it was.
; @byte_beside_poison(poison) -> i8 9
define i8 @byte_beside_poison(i16 %x) {
  %p = alloca i16
  store i16 %x, ptr %p
  store i8 9, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}
; undef: @half_initialised() -> i16 0b????????00000111
; poison: @half_initialised() -> poison
define i16 @half_initialised() {
  %p = alloca i16
  store i8 7, ptr %p
  %r = load i16, ptr %p
  ret i16 %r
}
; undef: @high_half() -> undef
; poison: @high_half() -> poison
define i8 @high_half() {
  %p = alloca i16
  store i8 7, ptr %p
  %x = load i16, ptr %p
  %s = lshr i16 %x, 8
  %r = trunc i16 %s to i8
  ret i8 %r
}
; A byte that is read twice may be two values while it is undef.
; undef: @read_twice() -> undef
; poison: @read_twice() -> poison
define i8 @read_twice() {
  %p = alloca i8
  %x = load i8, ptr %p
  %y = load i8, ptr %p
  %r = sub i8 %x, %y
  ret i8 %r
}
; Copies keep the state of each byte.
; undef: @copied() -> i16 0b????????00000111
; poison: @copied() -> poison
define i16 @copied() {
  %p = alloca i16
  %q = alloca i16
  store i8 7, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 2, i1 false)
  %r = load i16, ptr %q
  ret i16 %r
}
; @partly_overwritten(poison) -> i8 1
define i8 @partly_overwritten(i32 %x) {
  %p = alloca i32
  store i32 %x, ptr %p
  %q = getelementptr i8, ptr %p, i64 2
  store i8 1, ptr %q
  %r = load i8, ptr %q
  ret i8 %r
}
; @member(poison) -> i32 8
define i32 @member(i8 %x) {
  %p = alloca { i8, i32 }
  %v = insertvalue { i8, i32 } { i8 0, i32 8 }, i8 %x, 0
  store { i8, i32 } %v, ptr %p
  %q = getelementptr { i8, i32 }, ptr %p, i64 0, i32 1
  %r = load i32, ptr %q
  ret i32 %r
}
; A pointer goes through memory whole, and not when a byte of it is poison.
; @pointer(zeros:1) -> i8 0
define i8 @pointer(ptr %p) {
  %slot = alloca ptr
  store ptr %p, ptr %slot
  %q = load ptr, ptr %slot
  %r = load i8, ptr %q
  ret i8 %r
}
; @pointer_with_poison_byte(zeros:1) -> ub poison-pointer
define i8 @pointer_with_poison_byte(ptr %p) {
  %slot = alloca ptr
  store ptr %p, ptr %slot
  store i8 poison, ptr %slot
  %q = load ptr, ptr %slot
  %r = load i8, ptr %q
  ret i8 %r
}
; undef: @pointer_with_undef_byte(zeros:1) -> ub undef-pointer
; poison: @pointer_with_undef_byte(zeros:1) -> ub undef-pointer
define i8 @pointer_with_undef_byte(ptr %p) {
  %slot = alloca ptr
  store ptr %p, ptr %slot
  store i8 undef, ptr %slot
  %q = load ptr, ptr %slot
  %r = load i8, ptr %q
  ret i8 %r
}
; undef: @uninitialised_pointer() -> ub undef-pointer
; poison: @uninitialised_pointer() -> ub poison-pointer
define i8 @uninitialised_pointer() {
  %slot = alloca ptr
  %q = load ptr, ptr %slot
  %r = load i8, ptr %q
  ret i8 %r
}
; @from_argument(bytes:pp) -> poison
; @from_argument(bytes:??) -> undef
; @from_argument(bytes:2a) -> i8 42
define i8 @from_argument(ptr %p) {
  %r = load i8, ptr %p
  ret i8 %r
}
; @float_of_bytes(bytes:pp000000) -> poison
; @float_of_bytes(bytes:0000803f) -> float 1.0
define float @float_of_bytes(ptr %p) {
  %r = load float, ptr %p
  ret float %r
}
; Bits beyond a narrow integer must be zero, or undefined as a store of it leaves them.
; @narrow(bytes:ff) -> poison
; @narrow(bytes:1f) -> poison
; @narrow(bytes:0f) -> i4 -1
; @narrow(bytes:??) -> undef
define i4 @narrow(ptr %p) {
  %r = load i4, ptr %p
  ret i4 %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
