; A function of the module breaks a promise of its definition or of a call: the source is UB, or memory is less defined
; after the call than the run shows.

@x_captures = global ptr null
declare void @ext()
define internal void @g_captures(ptr captures(none) %p) {
  store ptr %p, ptr @x_captures
  ret void
}
define i32 @src_captures() {
  %a = alloca i32
  store i32 1, ptr %a
  call void @g_captures(ptr %a)
  call void @ext()
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_captures() {
  %a = alloca i32
  store i32 1, ptr %a
  call void @g_captures(ptr %a)
  call void @ext()
  ret i32 1
}

define internal void @g_initializes(ptr initializes((0, 4)) %p) {
  ret void
}
define i32 @src_initializes() {
  %a = alloca i32
  store i32 0, ptr %a
  call void @g_initializes(ptr %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_initializes() {
  ret i32 7
}

define internal noalias ptr @g_new(ptr %p) nounwind willreturn {
  ret ptr %p
}
define i32 @src_new(ptr noundef %p) {
  %q = call ptr @g_new(ptr %p)
  store i32 1, ptr %p
  store i32 2, ptr %q
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_new(ptr noundef %p) {
  %q = call ptr @g_new(ptr %p)
  store i32 1, ptr %p
  store i32 2, ptr %q
  ret i32 1
}

define internal i32 @g_tail(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @src_tail() {
  %a = alloca i32
  store i32 1, ptr %a
  %v = tail call i32 @g_tail(ptr %a)
  ret i32 %v
}
define i32 @tgt_tail() {
  ret i32 7
}

define internal void @g_dead(ptr dead_on_return %p) {
  store i32 1, ptr %p
  ret void
}
define i32 @src_dead() {
  %a = alloca i32
  store i32 0, ptr %a
  call void @g_dead(ptr %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_dead() {
  ret i32 7
}

@x_captures_at_call = global ptr null
define internal void @g_captures_at_call(ptr %p) {
  store ptr %p, ptr @x_captures_at_call
  ret void
}
define i32 @src_captures_at_call() {
  %a = alloca i32
  store i32 1, ptr %a
  call void @g_captures_at_call(ptr captures(none) %a)
  call void @ext()
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_captures_at_call() {
  %a = alloca i32
  store i32 1, ptr %a
  call void @g_captures_at_call(ptr captures(none) %a)
  call void @ext()
  ret i32 1
}

define internal void @g_initializes_at_call(ptr %p) {
  ret void
}
define i32 @src_initializes_at_call() {
  %a = alloca i32
  store i32 0, ptr %a
  call void @g_initializes_at_call(ptr initializes((0, 4)) %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_initializes_at_call() {
  ret i32 7
}

define internal void @g_readonly_at_call(ptr %p) {
  store i32 5, ptr %p
  ret void
}
define i32 @src_readonly_at_call() {
  %a = alloca i32
  store i32 0, ptr %a
  call void @g_readonly_at_call(ptr readonly %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_readonly_at_call() {
  ret i32 0
}

define internal void @g_noalias_at_call(ptr %p, ptr %q) {
  store i32 5, ptr %p
  store i32 6, ptr %q
  ret void
}
define i32 @src_noalias_at_call(ptr noundef %p) {
  call void @g_noalias_at_call(ptr noalias %p, ptr noalias %p)
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_noalias_at_call(ptr noundef %p) {
  call void @g_noalias_at_call(ptr noalias %p, ptr noalias %p)
  ret i32 5
}

define internal ptr @g_new_at_call(ptr %p) nounwind willreturn {
  ret ptr %p
}
define i32 @src_new_at_call(ptr noundef %p) {
  %q = call noalias ptr @g_new_at_call(ptr %p)
  store i32 1, ptr %p
  store i32 2, ptr %q
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_new_at_call(ptr noundef %p) {
  %q = call noalias ptr @g_new_at_call(ptr %p)
  store i32 1, ptr %p
  store i32 2, ptr %q
  ret i32 1
}

define internal i32 @h_tail_in_callee(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define internal i32 @g_tail_in_callee() {
  %a = alloca i32
  store i32 1, ptr %a
  %v = tail call i32 @h_tail_in_callee(ptr %a)
  ret i32 %v
}
define i32 @src_tail_in_callee() {
  %v = call i32 @g_tail_in_callee()
  ret i32 %v
}
define i32 @tgt_tail_in_callee() {
  ret i32 7
}

define internal i32 @h_tail_and_copy(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @src_tail_and_copy(ptr byval(i32) align 4 %a) {
  store i32 1, ptr %a
  %v = tail call i32 @h_tail_and_copy(ptr %a)
  ret i32 %v
}
define i32 @tgt_tail_and_copy(ptr byval(i32) align 4 %a) {
  ret i32 7
}

@x_tail_and_stored_address = internal global ptr null
define internal i32 @h_tail_and_stored_address() {
  %p = load ptr, ptr @x_tail_and_stored_address
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @src_tail_and_stored_address() {
  %a = alloca i32
  store i32 1, ptr %a
  store ptr %a, ptr @x_tail_and_stored_address
  %v = tail call i32 @h_tail_and_stored_address()
  ret i32 %v
}
define i32 @tgt_tail_and_stored_address() {
  %a = alloca i32
  store ptr %a, ptr @x_tail_and_stored_address
  ret i32 7
}

define internal void @g_dead_at_call(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define i32 @src_dead_at_call() {
  %a = alloca i32
  store i32 0, ptr %a
  call void @g_dead_at_call(ptr dead_on_return %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_dead_at_call() {
  ret i32 7
}

define internal void @g_through_pointer(ptr %p) {
  ret void
}
define i32 @src_through_pointer(i1 noundef %c) {
  %a = alloca i32
  store i32 0, ptr %a
  %f = select i1 %c, ptr @g_through_pointer, ptr @g_through_pointer
  call void %f(ptr initializes((0, 4)) %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_through_pointer(i1 noundef %c) {
  ret i32 7
}

declare void @g(ptr initializes((0, 4))) nounwind willreturn
define i32 @src_external_initializes() {
  %a = alloca i32
  store i32 0, ptr %a
  call void @g(ptr %a)
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_external_initializes() {
  %a = alloca i32
  call void @g(ptr %a)
  %v = load i32, ptr %a
  ret i32 %v
}

declare void @free(ptr)
define internal void @g_nofree(ptr %p) nofree {
  call void @free(ptr %p)
  ret void
}
define void @src_nofree(ptr noundef dereferenceable(4) %p) {
  call void @g_nofree(ptr %p)
  ret void
}
define void @tgt_nofree(ptr noundef dereferenceable(4) %p) {
  call void @g_nofree(ptr %p)
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %a, label %a
a:
  ret void
}

declare void @may()
declare i32 @pers(...)
define internal void @g_dead_on_unwind(ptr dead_on_unwind %p) {
  store i32 1, ptr %p
  call void @may()
  ret void
}
define i32 @src_dead_on_unwind() personality ptr @pers {
  %a = alloca i32
  store i32 0, ptr %a
  invoke void @g_dead_on_unwind(ptr %a) to label %ok unwind label %bad
ok:
  ret i32 0
bad:
  %l = landingpad { ptr, i32 } cleanup
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @tgt_dead_on_unwind() personality ptr @pers {
  %a = alloca i32
  store i32 0, ptr %a
  invoke void @g_dead_on_unwind(ptr %a) to label %ok unwind label %bad
ok:
  ret i32 0
bad:
  %l = landingpad { ptr, i32 } cleanup
  ret i32 7
}
