; Attributes that the target alone has, and that its body breaks in a branch that no run enters: the solver decides.
@global = global i32 0
@kept = global ptr null
declare void @ext()

define void @src_store_read(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  store i32 1, ptr %p
  ret void
else:
  ret void
}
define void @tgt_store_read(ptr readonly %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  store i32 1, ptr %p
  ret void
else:
  ret void
}
define i32 @src_load_none(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  %r = load i32, ptr %p
  ret i32 %r
else:
  ret i32 0
}
define i32 @tgt_load_none(ptr readnone %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  %r = load i32, ptr %p
  ret i32 %r
else:
  ret i32 0
}
define void @src_store_argmem(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  store i32 1, ptr @global
  ret void
else:
  ret void
}
define void @tgt_store_argmem(ptr %p, i64 %k) memory(argmem: write) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  store i32 1, ptr @global
  ret void
else:
  ret void
}
define void @src_call_unwinds(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  call void @ext()
  ret void
else:
  ret void
}
define void @tgt_call_unwinds(ptr %p, i64 %k) nounwind {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  call void @ext()
  ret void
else:
  ret void
}
define void @src_call_frees(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  call void @ext()
  ret void
else:
  ret void
}
define void @tgt_call_frees(ptr %p, i64 %k) nofree {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  call void @ext()
  ret void
else:
  ret void
}
define void @src_call_stays(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  call void @ext()
  ret void
else:
  ret void
}
define void @tgt_call_stays(ptr %p, i64 %k) willreturn {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  call void @ext()
  ret void
else:
  ret void
}
define void @src_kept_pointer(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  store ptr %p, ptr @kept
  ret void
else:
  ret void
}
define void @tgt_kept_pointer(ptr captures(none) %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  store ptr %p, ptr @kept
  ret void
else:
  ret void
}
define ptr @src_returned_pointer(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  ret ptr %p
else:
  ret ptr null
}
define ptr @tgt_returned_pointer(ptr captures(none) %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  ret ptr %p
else:
  ret ptr null
}
define i32 @src_read_first(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  %r = load i32, ptr %p
  store i32 1, ptr %p
  ret i32 %r
else:
  store i32 1, ptr %p
  ret i32 0
}
define i32 @tgt_read_first(ptr initializes((0, 4)) %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  %r = load i32, ptr %p
  store i32 1, ptr %p
  ret i32 %r
else:
  store i32 1, ptr %p
  ret i32 0
}
define i1 @src_null_seen(ptr %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  %c = icmp eq ptr %p, null
  ret i1 %c
else:
  ret i1 false
}
define i1 @tgt_null_seen(ptr captures(none) %p, i64 %k) {
entry:
  %m = xor i64 %k, 1311768467463790320
  %g = icmp eq i64 %m, 7378697629483820646
  br i1 %g, label %then, label %else
then:
  %c = icmp eq ptr %p, null
  ret i1 %c
else:
  ret i1 false
}
