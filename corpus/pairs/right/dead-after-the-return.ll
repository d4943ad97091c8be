; Nobody reads the memory after the return, or nobody may have written it before.

declare i64 @labs(i32)
declare void @other()

; The store is to a copy.
define void @src_copy(ptr byval(i32) %p) {
  store i32 1, ptr %p
  ret void
}
define void @tgt_copy(ptr byval(i32) %p) {
  ret void
}

define void @src_dead(ptr dead_on_return %p) {
  store i32 1, ptr %p
  ret void
}
define void @tgt_dead(ptr dead_on_return %p) {
  ret void
}

; A parameter that is writable leads to no constant memory.
define i32 @src_writable(ptr noalias writable dereferenceable(4) align 4 noundef %p) {
  %v = load i32, ptr %p, !noundef !0
  ret i32 %v
}
define i32 @tgt_writable(ptr noalias writable dereferenceable(4) align 4 noundef %p) {
  %v = load i32, ptr %p, !noundef !0
  store i32 %v, ptr %p
  ret i32 %v
}

; This is not the function of the library.
define i64 @src_other_type(i32 noundef %x) {
  %r = call i64 @labs(i32 %x)
  ret i64 %r
}
define i64 @tgt_other_type(i32 noundef %x) {
  %r = call i64 @labs(i32 %x)
  %s = add i64 %r, 0
  ret i64 %s
}

; Whether a call changes the variable depends on the rest of the module.
@kept = internal global i32 9
define void @set_kept(i32 %v) {
  store i32 %v, ptr @kept
  ret void
}

define i32 @src_internal() {
  call void @other()
  %v = load i32, ptr @kept
  ret i32 %v
}
define i32 @tgt_internal() {
  call void @other()
  ret i32 9
}

!0 = !{}
