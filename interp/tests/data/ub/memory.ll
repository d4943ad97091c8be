; Accesses: bounds, alignment, pointers that are none, constants, lifetimes, copies.

@word = global i32 5, align 4
@fixed = constant i32 7, align 4

; @load_through(zeros:4) -> i32 0
; @load_through(zeros:3) -> ub out-of-bounds
; @load_through(null) -> ub null-dereference
; @load_through(poison) -> ub poison-pointer
; @load_through(undef) -> ub undef-pointer
; @load_through(addr:0x40) -> ub invalid-pointer
; @load_through(zeros:8+4) -> i32 0
; @load_through(zeros:8+5) -> ub out-of-bounds
; @load_through(zeros:8-1) -> ub out-of-bounds
define i32 @load_through(ptr %p) {
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
; @store_through(zeros:4) -> void
; @store_through(zeros:3) -> ub out-of-bounds
; @store_through(null) -> ub null-dereference
; @store_through(poison) -> ub poison-pointer
; @store_through(undef) -> ub undef-pointer
; @store_through(@fixed) -> ub read-only-write
define void @store_through(ptr %p) {
  store i32 1, ptr %p, align 1
  ret void
}
; @aligned(zeros:8) -> i32 0
; @aligned(zeros:8+2) -> ub misaligned
; @aligned(zeros:8+4) -> i32 0
define i32 @aligned(ptr %p) {
  %r = load i32, ptr %p, align 4
  ret i32 %r
}
; An alignment that is not stated is that of the type.
; @aligned_by_type(zeros:8+1) -> ub misaligned
define void @aligned_by_type(ptr %p) {
  store i16 1, ptr %p
  ret void
}
; An object is aligned as it says, or better where it happens to lie so.
; @better_than_declared() -> unsupported an access with more alignment than its alloca
define i32 @better_than_declared() {
  %p = alloca i32, align 4
  store i32 1, ptr %p, align 8
  ret i32 0
}
; @write_constant() -> ub read-only-write
define void @write_constant() {
  store i32 1, ptr @fixed
  ret void
}
; @read_constant() -> i32 7
define i32 @read_constant() {
  %r = load i32, ptr @fixed
  ret i32 %r
}
; @write_function() -> ub out-of-bounds
define void @write_function() {
  store i8 1, ptr @read_constant
  ret void
}
; One pointer moved out of its object does not lead into another, wherever that lies.
; @into_the_neighbour() -> ub out-of-bounds
define i8 @into_the_neighbour() {
  %p = alloca i8
  %q = alloca i8
  store i8 1, ptr %q
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %d = sub i64 %b, %a
  %r = getelementptr i8, ptr %p, i64 %d
  %x = load i8, ptr %r
  ret i8 %x
}
; @past_the_end() -> ub out-of-bounds
define i8 @past_the_end() {
  %p = alloca [4 x i8]
  %q = getelementptr i8, ptr %p, i64 4
  %x = load i8, ptr %q
  ret i8 %x
}
; An alloca of no bytes can't be accessed.
; @alloca_of(0) -> ub out-of-bounds
; @alloca_of(1) -> i8 3
; @alloca_of(poison) -> ub alloca-size
; @alloca_of(undef) -> ub alloca-size
define i8 @alloca_of(i32 %n) {
  %p = alloca i8, i32 %n
  store i8 3, ptr %p
  %x = load i8, ptr %p
  ret i8 %x
}
; @returned_alloca() -> ub use-after-free
define i8 @returned_alloca() {
  %p = call ptr @leak()
  %x = load i8, ptr %p
  ret i8 %x
}
define ptr @leak() {
  %p = alloca i8
  store i8 1, ptr %p
  ret ptr %p
}
; @store_to_returned_alloca() -> ub use-after-free
define void @store_to_returned_alloca() {
  %p = call ptr @leak()
  store i8 1, ptr %p
  ret void
}
; @before_lifetime() -> ub store-outside-lifetime
define void @before_lifetime() {
  %p = alloca i8
  store i8 1, ptr %p
  call void @llvm.lifetime.start.p0(ptr %p)
  ret void
}
; A load from a dead alloca gives poison.
; @load_before_lifetime() -> poison
define i8 @load_before_lifetime() {
  %p = alloca i8
  %x = load i8, ptr %p
  call void @llvm.lifetime.start.p0(ptr %p)
  ret i8 %x
}
; @load_behind_lifetime() -> poison
define i8 @load_behind_lifetime() {
  %p = alloca i8
  call void @llvm.lifetime.start.p0(ptr %p)
  store i8 1, ptr %p
  call void @llvm.lifetime.end.p0(ptr %p)
  %x = load i8, ptr %p
  ret i8 %x
}
; @store_behind_lifetime() -> ub store-outside-lifetime
define void @store_behind_lifetime() {
  %p = alloca i8
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @llvm.lifetime.end.p0(ptr %p)
  store i8 1, ptr %p
  ret void
}
; A new lifetime begins uninitialised.
; undef: @second_lifetime() -> undef
; poison: @second_lifetime() -> poison
define i8 @second_lifetime() {
  %p = alloca i8
  call void @llvm.lifetime.start.p0(ptr %p)
  store i8 1, ptr %p
  call void @llvm.lifetime.end.p0(ptr %p)
  call void @llvm.lifetime.start.p0(ptr %p)
  %x = load i8, ptr %p
  ret i8 %x
}
; @lifetime_of_argument(zeros:1) -> ub invalid-lifetime
define void @lifetime_of_argument(ptr %p) {
  call void @llvm.lifetime.start.p0(ptr %p)
  ret void
}
; @copy_overlapping(zeros:8) -> ub overlapping-copy
define void @copy_overlapping(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)
  ret void
}
; @copy_onto_itself(bytes:0102) -> i16 513
define i16 @copy_onto_itself(ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 2, i1 false)
  %r = load i16, ptr %p
  ret i16 %r
}
; @move_overlapping(bytes:010203) -> i16 770
define i16 @move_overlapping(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)
  %r = load i16, ptr %p
  ret i16 %r
}
; A copy of no bytes accesses nothing.
; @copy_of(0, null) -> void
; @copy_of(1, null) -> ub null-dereference
; @copy_of(poison, null) -> ub poison-length
; @copy_of(undef, null) -> ub poison-length
; @copy_of(5, zeros:4) -> ub out-of-bounds
; @copy_of(4, @fixed) -> ub read-only-write
define void @copy_of(i64 %n, ptr %to) {
  %from = alloca [8 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}
; @fill_elements(4) -> i32 16843009
; @fill_elements(3) -> ub element-length
; @fill_elements(6) -> ub out-of-bounds
define i32 @fill_elements(i64 %n) {
  %p = alloca i32
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 2 %p, i8 1, i64 %n, i32 2)
  %r = load i32, ptr %p
  ret i32 %r
}
; @fill_of(2) -> i16 257
; @fill_of(3) -> ub out-of-bounds
; @fill_of(poison) -> ub poison-length
define i16 @fill_of(i64 %n) {
  %p = alloca i16
  call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 %n, i1 false)
  %r = load i16, ptr %p
  ret i16 %r
}
; @fill_with(poison) -> poison
define i16 @fill_with(i8 %x) {
  %p = alloca i16
  call void @llvm.memset.p0.i64(ptr %p, i8 %x, i64 2, i1 false)
  %r = load i16, ptr %p
  ret i16 %r
}
; @fill_aligned(zeros:4) -> void
; @fill_aligned(zeros:5+1) -> ub poison-pointer
define void @fill_aligned(ptr %p) {
  call void @llvm.memset.p0.i64(ptr align 4 %p, i8 1, i64 4, i1 false)
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr nocapture writeonly, i8, i64, i32 immarg)
