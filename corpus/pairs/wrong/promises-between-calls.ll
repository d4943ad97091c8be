; What one call of a function promises, another one need not: promises that go from call to call, and such as no call had.

declare i8 @take(ptr)
declare i8 @give()
declare ptr @make(i64)

define i8 @src_captures(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr captures(none) %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr  %p)
  ret i8 %s
}
define i8 @tgt_captures(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr captures(none) %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr captures(none) %p)
  ret i8 %s
}
define i8 @src_readonly(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr readonly %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr  %p)
  ret i8 %s
}
define i8 @tgt_readonly(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr readonly %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr readonly %p)
  ret i8 %s
}
define i8 @src_inreg(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr inreg %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr  %p)
  ret i8 %s
}
define i8 @tgt_inreg(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr inreg %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr inreg %p)
  ret i8 %s
}
define i8 @src_initializes(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr initializes((0, 4)) %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr  %p)
  ret i8 %s
}
define i8 @tgt_initializes(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr initializes((0, 4)) %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr initializes((0, 4)) %p)
  ret i8 %s
}
define i8 @src_nounwind(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p) nounwind willreturn
  ret i8 %r
else:
  %s = call i8 @take(ptr %p)
  ret i8 %s
}
define i8 @tgt_nounwind(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr %p) nounwind willreturn
  ret i8 %s
}
define i8 @src_nounwind_kept(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p) nounwind willreturn
  ret i8 %r
else:
  %s = call i8 @take(ptr %p)
  ret i8 %s
}
define i8 @tgt_nounwind_kept(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p) nounwind willreturn
  ret i8 %r
else:
  %s = call i8 @take(ptr %p)
  ret i8 %s
}
define i8 @src_memory(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p) memory(read)
  ret i8 %r
else:
  %s = call i8 @take(ptr %p)
  ret i8 %s
}
define i8 @tgt_memory(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p)
  ret i8 %r
else:
  %s = call i8 @take(ptr %p) memory(read)
  ret i8 %s
}
define i8 @src_memory_kept(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p) memory(read)
  ret i8 %r
else:
  %s = call i8 @take(ptr %p)
  ret i8 %s
}
define i8 @tgt_memory_kept(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %r = call i8 @take(ptr %p) memory(read)
  ret i8 %r
else:
  %s = call i8 @take(ptr %p)
  ret i8 %s
}
define ptr @src_allocsize() {
  %r = call ptr @make(i64 4)
  ret ptr %r
}
define ptr @tgt_allocsize() {
  %r = call ptr @make(i64 4) allocsize(0)
  ret ptr %r
}
define ptr @src_norecurse() {
  %r = call ptr @make(i64 4)
  ret ptr %r
}
define ptr @tgt_norecurse() {
  %r = call ptr @make(i64 4) norecurse
  ret ptr %r
}
define ptr @src_mustprogress() {
  %r = call ptr @make(i64 4)
  ret ptr %r
}
define ptr @tgt_mustprogress() {
  %r = call ptr @make(i64 4) mustprogress
  ret ptr %r
}
define ptr @src_builtin() {
  %r = call ptr @make(i64 4)
  ret ptr %r
}
define ptr @tgt_builtin() {
  %r = call ptr @make(i64 4) builtin
  ret ptr %r
}
define ptr @src_nobuiltin() {
  %r = call ptr @make(i64 4)
  ret ptr %r
}
define ptr @tgt_nobuiltin() {
  %r = call ptr @make(i64 4) nobuiltin
  ret ptr %r
}
define i8 @src_zeroext() {
  %r = call i8 @give()
  ret i8 %r
}
define i8 @tgt_zeroext() {
  %r = call zeroext i8 @give()
  ret i8 %r
}
