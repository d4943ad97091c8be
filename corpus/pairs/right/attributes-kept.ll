; Attributes that the target alone has and keeps: by what its body does, or since no defined run breaks them.
@global = global i32 0
declare void @quiet() nofree nounwind willreturn

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @src_written(ptr %p) {
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  store i32 2, ptr %q
  ret void
}
define void @tgt_written(ptr initializes((0, 8)) %p) {
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  store i32 2, ptr %q
  ret void
}
define void @src_written_on_both(ptr %p, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  ret void
b:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
  ret void
}
define void @tgt_written_on_both(ptr initializes((0, 4)) %p, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  ret void
b:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
  ret void
}
define ptr @src_returned(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4
  ret ptr %q
}
define ptr @tgt_returned(ptr captures(ret: address, provenance) %p) {
  %q = getelementptr i8, ptr %p, i64 4
  ret ptr %q
}
define i1 @src_null_asked(ptr %p) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}
define i1 @tgt_null_asked(ptr captures(address_is_null) %p) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}
define i32 @src_undefined_first(ptr %p, i32 noundef %x) {
  %z = icmp eq i32 %x, 7
  br i1 %z, label %a, label %b
a:
  %d = udiv i32 1, 0
  store i32 %d, ptr %p
  ret i32 1
b:
  ret i32 0
}
define i32 @tgt_undefined_first(ptr readonly %p, i32 noundef %x) nounwind {
  %z = icmp eq i32 %x, 7
  br i1 %z, label %a, label %b
a:
  %d = udiv i32 1, 0
  store i32 %d, ptr %p
  ret i32 1
b:
  ret i32 0
}
define void @src_quiet(ptr %p) {
  call void @quiet()
  ret void
}
define void @tgt_quiet(ptr %p) nofree nounwind willreturn {
  call void @quiet()
  ret void
}
