; Attributes that the source implies or that the body keeps by itself may be added, as attribute inference does, and any may be dropped.

declare void @ext()
declare void @tame(ptr readonly captures(none)) nounwind willreturn nosync nofree memory(argmem: read)
declare i8 @give() nounwind memory(inaccessiblemem: readwrite)
declare ptr @make(i64)
@g = global i8 0
@c = constant i8 3

define i8 @src_pure(ptr %p, i8 %a) {
  %v = add i8 %a, 1
  ret i8 %v
}
define i8 @tgt_pure(ptr %p, i8 %a) memory(none) nofree norecurse nosync nounwind willreturn mustprogress nocallback speculatable {
  %v = add i8 %a, 1
  ret i8 %v
}
define i8 @src_argmem(ptr %p, i8 %a) {
  %v = load i8, ptr %p
  store i8 %a, ptr %p
  ret i8 %v
}
define i8 @tgt_argmem(ptr %p, i8 %a) memory(argmem: readwrite) nofree norecurse nosync nounwind willreturn {
  %v = load i8, ptr %p
  store i8 %a, ptr %p
  ret i8 %v
}
define i8 @src_read(ptr %p, i8 %a) {
  %v = load i8, ptr @g
  ret i8 %v
}
define i8 @tgt_read(ptr %p, i8 %a) memory(read) {
  %v = load i8, ptr @g
  ret i8 %v
}
define i8 @src_own(ptr %p, i8 %a) {
  %x = alloca i8
  store i8 %a, ptr %x
  %v = load i8, ptr %x
  ret i8 %v
}
define i8 @tgt_own(ptr %p, i8 %a) memory(none) {
  %x = alloca i8
  store i8 %a, ptr %x
  %v = load i8, ptr %x
  ret i8 %v
}
define i8 @src_constant(ptr %p, i8 %a) {
  %v = load i8, ptr @c
  ret i8 %v
}
define i8 @tgt_constant(ptr %p, i8 %a) memory(none) {
  %v = load i8, ptr @c
  ret i8 %v
}
define i8 @src_calls(ptr %p, i8 %a) {
  call void @tame(ptr %p)
  ret i8 0
}
define i8 @tgt_calls(ptr %p, i8 %a) nounwind willreturn nosync nofree memory(argmem: read) {
  call void @tame(ptr %p)
  ret i8 0
}
define i8 @src_implied(ptr %p, i8 %a) memory(read) {
  call void @ext()
  %v = add i8 %a, 1
  ret i8 %v
}
define i8 @tgt_implied(ptr %p, i8 %a) memory(read, inaccessiblemem: readwrite) {
  call void @ext()
  %v = add i8 %a, 1
  ret i8 %v
}
define i8 @src_parameter(ptr %p, i8 %a) {
 %v = load i8, ptr %p
  ret i8 %v
}
define i8 @tgt_parameter(ptr readonly captures(none) nofree %p, i8 %a)  {
 %v = load i8, ptr %p
  ret i8 %v
}
define i8 @src_written(ptr %p, i8 %a) {
  store i8 %a, ptr %p
  ret i8 0
}
define i8 @tgt_written(ptr writeonly captures(none) nofree %p, i8 %a)  {
  store i8 %a, ptr %p
  ret i8 0
}
define i8 @src_passed_on(ptr %p, i8 %a) {
  call void @tame(ptr %p)
  ret i8 0
}
define i8 @tgt_passed_on(ptr readonly captures(none) nofree %p, i8 %a)  {
  call void @tame(ptr %p)
  ret i8 0
}
define i8 @src_readnone(ptr readnone %p, i8 %a) {
  ret i8 0
}
define i8 @tgt_readnone(ptr readonly %p, i8 %a)  {
  ret i8 0
}
define ptr @src_new_memory(ptr %p, i8 %a) {
  %r = call noalias ptr @make(i64 4)
  ret ptr %r
}
define noalias ptr @tgt_new_memory(ptr %p, i8 %a)  {
  %r = call noalias ptr @make(i64 4)
  ret ptr %r
}
define i8 @src_noreturn(ptr %p, i8 %a) {
  call void @ext()
  unreachable
}
define i8 @tgt_noreturn(ptr %p, i8 %a) noreturn {
  call void @ext()
  unreachable
}
define i8 @src_advice(ptr %p, i8 %a) {
  %v = add i8 %a, 1
  ret i8 %v
}
define i8 @tgt_advice(ptr %p, i8 %a) cold noinline minsize uwtable "frame-pointer"="all" {
  %v = add i8 %a, 1
  ret i8 %v
}
define noundef i8 @src_dropped(ptr noalias captures(none) readonly %p, i8 noundef %a) memory(none) nounwind willreturn nosync nofree {
  ret i8 %a
}
define i8 @tgt_dropped(ptr %p, i8 %a) {
  ret i8 %a
}
define i8 @src_guarded(i8 %a) {
entry:
  %c = icmp eq i8 %a, 0
  br i1 %c, label %done, label %more
more:
  %b = add i8 %a, -1
  %v = call i8 @give()
  br label %done
done:
  ret i8 0
}
define i8 @tgt_guarded(i8 %a) memory(inaccessiblemem: readwrite) nounwind {
entry:
  %c = icmp eq i8 %a, 0
  br i1 %c, label %done, label %more
more:
  %b = add i8 %a, -1
  %v = call i8 @give()
  br label %done
done:
  ret i8 0
}
