; The same where the solver does not model the access: runs decide, or nobody does.

@g = global i32 0

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)

define void @src_valid_null() null_pointer_is_valid {
  store volatile i32 0, ptr null
  ret void
}
define void @tgt_valid_null() null_pointer_is_valid {
  unreachable
}

define void @src_atomic_null() {
  %w = load atomic volatile i32, ptr null seq_cst, align 4
  store atomic volatile i32 %w, ptr null seq_cst, align 4
  ret void
}
define void @tgt_atomic_null() {
  unreachable
}

define void @src_rmw_null() {
  %w = atomicrmw volatile add ptr null, i32 1 seq_cst
  ret void
}
define void @tgt_rmw_null() {
  unreachable
}

define void @src_cmpxchg_null() {
  %w = cmpxchg volatile ptr null, i32 1, i32 2 seq_cst seq_cst
  ret void
}
define void @tgt_cmpxchg_null() {
  unreachable
}

define void @src_copy_from_null() {
  call void @llvm.memcpy.p0.p0.i64(ptr @g, ptr null, i64 4, i1 true)
  ret void
}
define void @tgt_copy_from_null() {
  unreachable
}

define void @src_copy_to_null() {
  call void @llvm.memcpy.p0.p0.i64(ptr null, ptr @g, i64 4, i1 true)
  ret void
}
define void @tgt_copy_to_null() {
  unreachable
}

define void @src_fill_null() {
  call void @llvm.memset.p0.i64(ptr null, i8 0, i64 4, i1 true)
  ret void
}
define void @tgt_fill_null() {
  unreachable
}

define i32 @src_modifies_by_copy(ptr noundef %p, ptr noalias noundef %q) {
  store i32 5, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 4, i1 true)
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_modifies_by_copy(ptr noundef %p, ptr noalias noundef %q) {
  store i32 5, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 4, i1 true)
  ret i32 5
}
