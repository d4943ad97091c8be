; Address arithmetic and its flags, comparisons, casts.

; @inbounds(4) -> i64 4
; @inbounds(5) -> poison
; @inbounds(-1) -> poison
; @inbounds(poison) -> poison
define i64 @inbounds(i64 %i) {
  %p = alloca [4 x i8]
  %q = getelementptr inbounds i8, ptr %p, i64 %i
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %r = sub i64 %b, %a
  ret i64 %r
}
; @without_flags(5) -> i64 5
; @without_flags(-1) -> i64 -1
define i64 @without_flags(i64 %i) {
  %p = alloca [4 x i8]
  %q = getelementptr i8, ptr %p, i64 %i
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %r = sub i64 %b, %a
  ret i64 %r
}
; @nuw(-1) -> poison
; @nuw(2) -> i64 2
define i64 @nuw(i64 %i) {
  %p = alloca [4 x i8]
  %q = getelementptr nuw i8, ptr %p, i64 %i
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %r = sub i64 %b, %a
  ret i64 %r
}
; @nusw(-1) -> i64 -1
; @nusw(4611686018427387904) -> poison
define i64 @nusw(i64 %i) {
  %p = alloca [4 x i8]
  %q = getelementptr nusw i32, ptr %p, i64 %i
  %s = getelementptr nusw i8, ptr %p, i64 %i
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %s to i64
  %r = sub i64 %b, %a
  %z = icmp eq ptr %q, null
  %w = select i1 %z, i64 %r, i64 %r
  ret i64 %w
}
; inbounds from null is fine only with no distance.
; @from_null(0) -> i1 true
; @from_null(1) -> poison
define i1 @from_null(i64 %i) {
  %q = getelementptr inbounds i8, ptr null, i64 %i
  %r = icmp eq ptr %q, null
  ret i1 %r
}
; @of_poison(poison) -> poison
define ptr @of_poison(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  ret ptr %q
}
; An out-of-bounds pointer that comes back may be used.
; @out_and_back(zeros:4) -> i8 0
define i8 @out_and_back(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 100
  %r = getelementptr i8, ptr %q, i64 -100
  %x = load i8, ptr %r
  ret i8 %x
}
; With the flag it may not.
; @out_and_back_inbounds(zeros:4) -> ub poison-pointer
define i8 @out_and_back_inbounds(ptr %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 100
  %r = getelementptr inbounds i8, ptr %q, i64 -100
  %x = load i8, ptr %r
  ret i8 %x
}
; @compare_poison(poison) -> poison
define i1 @compare_poison(ptr %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}
; @round_trip(bytes:05) -> i8 5
define i8 @round_trip(ptr %p) {
  %n = ptrtoint ptr %p to i64
  %q = inttoptr i64 %n to ptr
  %x = load i8, ptr %q
  ret i8 %x
}
; An address that no one has taken leads nowhere.
; @guessed_address(zeros:1) -> ub invalid-pointer
define i8 @guessed_address(ptr %p) {
  %q = inttoptr i64 4096 to ptr
  %x = load i8, ptr %q
  ret i8 %x
}
; @int_to_null(0) -> ub null-dereference
define i8 @int_to_null(i64 %n) {
  %q = inttoptr i64 %n to ptr
  %x = load i8, ptr %q
  ret i8 %x
}
; In address spaces other than 0, and where null_pointer_is_valid stands, memory may lie at null: an access there is not
; known to be undefined behaviour, nor known to work.
; @load_at_odd_null(null) -> unsupported an access at or near null where null may be an address
; @load_at_odd_null(poison) -> ub poison-pointer
; @load_at_odd_null(zeros:1) -> i8 0
define i8 @load_at_odd_null(ptr addrspace(1) %p) {
  %r = load i8, ptr addrspace(1) %p
  ret i8 %r
}
; @store_near_odd_null() -> unsupported an access at or near null where null may be an address
define void @store_near_odd_null() {
  %p = getelementptr i8, ptr addrspace(3) null, i64 8
  store i8 1, ptr addrspace(3) %p
  ret void
}
; The pointer that is stored does not matter, the one that is stored through does.
; @store_odd_null_at_null() -> ub null-dereference
define void @store_odd_null_at_null() {
  store ptr addrspace(1) null, ptr null
  ret void
}
; @copy_from_odd_null(zeros:4) -> unsupported an access at or near null where null may be an address
define void @copy_from_odd_null(ptr %p) {
  call void @llvm.memcpy.p0.p1.i64(ptr %p, ptr addrspace(1) null, i64 4, i1 false)
  ret void
}
; @null_is_valid(null) -> unsupported an access at or near null where null may be an address
define i8 @null_is_valid(ptr %p) null_pointer_is_valid {
  %r = load i8, ptr %p
  ret i8 %r
}
; It is the function of the access that says so.
; @calls_null_is_valid(null) -> unsupported an access at or near null where null may be an address
define i8 @calls_null_is_valid(ptr %p) {
  %r = call i8 @null_is_valid(ptr %p)
  ret i8 %r
}
; @called_from_null_is_valid(null) -> ub null-dereference
define i8 @called_from_null_is_valid(ptr %p) null_pointer_is_valid {
  %r = call i8 @loads_at(ptr %p)
  ret i8 %r
}
define i8 @loads_at(ptr %p) {
  %r = load i8, ptr %p
  ret i8 %r
}
; Null may be dereferenceable then, and it is null nevertheless.
; @odd_null_dereferenceable(null) -> i1 true
define i1 @odd_null_dereferenceable(ptr addrspace(1) noundef dereferenceable(4) %p) {
  %r = icmp eq ptr addrspace(1) %p, null
  ret i1 %r
}
; @null_dereferenceable(null) -> ub noundef-violated
define i1 @null_dereferenceable(ptr noundef dereferenceable(4) %p) {
  %r = icmp eq ptr %p, null
  ret i1 %r
}
; @odd_null_nonnull(null) -> poison
define i1 @odd_null_nonnull(ptr addrspace(1) nonnull %p) {
  %r = icmp eq ptr addrspace(1) %p, null
  ret i1 %r
}
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
; The linker may put another definition in the place of a weak alias: what it stands for says nothing.
@aliased = global i8 7
@weak_alias = weak alias i8, ptr @aliased
@strong_alias = alias i8, ptr @aliased
define internal i8 @seven() {
  ret i8 7
}
@weak_function = weak alias i8 (), ptr @seven
; @load_of_weak_alias() -> unsupported constant: an alias that another module may define
define i8 @load_of_weak_alias() {
  %v = load i8, ptr @weak_alias
  ret i8 %v
}
; @call_of_weak_alias() -> unsupported constant: an alias that another module may define
define i8 @call_of_weak_alias() {
  %v = call i8 @weak_function()
  ret i8 %v
}
; @load_of_strong_alias() -> i8 7
define i8 @load_of_strong_alias() {
  %v = load i8, ptr @strong_alias
  ret i8 %v
}
