; Attributes of the target that its source does not have, and that its body may break: no engine may call that refined.

declare void @ext()
declare void @take(ptr)
declare i8 @give()
declare ptr @make(i64)
@g = global i8 0

define i8 @src_memory_none(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_memory_none(ptr %p, i8 %a) memory(none) {
  call void @ext()
  ret i8 0
}
define i8 @src_memory_read(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_memory_read(ptr %p, i8 %a) memory(read) {
  call void @ext()
  ret i8 0
}
define i8 @src_memory_argmem(ptr %p, i8 %a) {
  store i8 1, ptr @g
  ret i8 0
}
define i8 @tgt_memory_argmem(ptr %p, i8 %a) memory(argmem: readwrite) {
  store i8 1, ptr @g
  ret i8 0
}
define i8 @src_memory_through_argument(ptr %p, i8 %a) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @tgt_memory_through_argument(ptr %p, i8 %a) memory(read) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @src_nofree(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_nofree(ptr %p, i8 %a) nofree {
  call void @ext()
  ret i8 0
}
define i8 @src_nosync(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_nosync(ptr %p, i8 %a) nosync {
  call void @ext()
  ret i8 0
}
define i8 @src_norecurse(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_norecurse(ptr %p, i8 %a) norecurse {
  call void @ext()
  ret i8 0
}
define i8 @src_nocallback(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_nocallback(ptr %p, i8 %a) nocallback {
  call void @ext()
  ret i8 0
}
define i8 @src_nosync_volatile(ptr %p, i8 %a) {
  %v = load volatile i8, ptr %p
  ret i8 %v
}
define i8 @tgt_nosync_volatile(ptr %p, i8 %a) nosync {
  %v = load volatile i8, ptr %p
  ret i8 %v
}
define i8 @src_speculatable(ptr %p, i8 %a) {
  %v = udiv i8 1, %a
  ret i8 %v
}
define i8 @tgt_speculatable(ptr %p, i8 %a) speculatable {
  %v = udiv i8 1, %a
  ret i8 %v
}
define i8 @src_mustprogress(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_mustprogress(ptr %p, i8 %a) mustprogress {
  call void @ext()
  ret i8 0
}
define i8 @src_allocsize(ptr %p, i8 %a) {
  ret i8 0
}
define i8 @tgt_allocsize(ptr %p, i8 %a) allocsize(1) {
  ret i8 0
}
define i8 @src_denormals(ptr %p, i8 %a) {
  ret i8 0
}
define i8 @tgt_denormals(ptr %p, i8 %a) "denormal-fp-math"="positive-zero" {
  ret i8 0
}
define i8 @src_strictfp(ptr %p, i8 %a) {
  ret i8 0
}
define i8 @tgt_strictfp(ptr %p, i8 %a) strictfp {
  ret i8 0
}
define i8 @src_captures(ptr %p, ptr %q) {
  store ptr %p, ptr %q
  ret i8 0
}
define i8 @tgt_captures(ptr captures(none) %p, ptr %q) {
  store ptr %p, ptr %q
  ret i8 0
}
define i8 @src_captures_by_call(ptr %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @tgt_captures_by_call(ptr captures(none) %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @src_initializes(ptr %p, ptr %q) {
  ret i8 0
}
define i8 @tgt_initializes(ptr initializes((0, 4)) %p, ptr %q) {
  ret i8 0
}
define i8 @src_writeonly(ptr %p, ptr %q) {
  call void @take(ptr %p)
  store i8 0, ptr %p
  ret i8 0
}
define i8 @tgt_writeonly(ptr writeonly %p, ptr %q) {
  call void @take(ptr %p)
  store i8 0, ptr %p
  ret i8 0
}
define i8 @src_readonly(ptr %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @tgt_readonly(ptr readonly %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @src_nofree_argument(ptr %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @tgt_nofree_argument(ptr nofree %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @src_writable(ptr %p, ptr %q) {
  ret i8 0
}
define i8 @tgt_writable(ptr writable %p, ptr %q) {
  ret i8 0
}
define i8 @src_dead_on_unwind(ptr %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @tgt_dead_on_unwind(ptr dead_on_unwind %p, ptr %q) {
  call void @take(ptr %p)
  ret i8 0
}
define i8 @src_signext(i8 %p, ptr %q) {
  ret i8 %p
}
define i8 @tgt_signext(i8 signext %p, ptr %q) {
  ret i8 %p
}
define void @src_sret(ptr %p, ptr %q) {
  store i8 0, ptr %p
  ret void
}
define void @tgt_sret(ptr sret(i8) %p, ptr %q) {
  store i8 0, ptr %p
  ret void
}
define ptr @src_result_noalias(ptr %p) {
  ret ptr %p
}
define noalias ptr @tgt_result_noalias(ptr %p) {
  ret ptr %p
}
define i8 @src_result_zeroext(i8 %p) {
  ret i8 %p
}
define zeroext i8 @tgt_result_zeroext(i8 %p) {
  ret i8 %p
}
define i8 @src_convention(i8 %a) {
  ret i8 %a
}
define fastcc i8 @tgt_convention(i8 %a) {
  ret i8 %a
}
define i8 @src_nounwind(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_nounwind(ptr %p, i8 %a) nounwind {
  call void @ext()
  ret i8 0
}
define i8 @src_willreturn(ptr %p, i8 %a) {
  call void @ext()
  ret i8 0
}
define i8 @tgt_willreturn(ptr %p, i8 %a) willreturn {
  call void @ext()
  ret i8 0
}
define i8 @src_nonnull(ptr %p, ptr %q) {
  ret i8 0
}
define i8 @tgt_nonnull(ptr nonnull noundef %p, ptr %q) {
  ret i8 0
}

; The result is the argument again: giving it back keeps it.
declare ptr @same(ptr returned captures(none)) memory(none) nounwind willreturn

define ptr @src_captures_by_result(ptr %p) {
  %r = call ptr @same(ptr returned captures(none) %p)
  ret ptr %r
}
define ptr @tgt_captures_by_result(ptr captures(none) %p) {
  %r = call ptr @same(ptr returned captures(none) %p)
  ret ptr %r
}
