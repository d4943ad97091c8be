; Unreachable code of the source writes nothing.
; judged dead_write: if memory that @tgt_dead_write writes

define i32 @src_dead_write(ptr noalias noundef align 8 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %q, i32 noundef %x) {
  %p4 = getelementptr i8, ptr %p, i64 4
  %o = load i32, ptr %p4, align 4, !noundef !0
  store i32 %x, ptr %p, align 8
  %v = load i32, ptr %q, align 4
  ret i32 %v
dead:
  store i64 0, ptr %p, align 8
  ret i32 0
}
define i32 @tgt_dead_write(ptr noalias noundef align 8 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %q, i32 noundef %x) {
  store i32 %x, ptr %p, align 8
  %p4 = getelementptr i8, ptr %p, i64 4
  %o = load i32, ptr %p4, align 4, !noundef !0
  store i32 %o, ptr %p4, align 4
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
!0 = !{}
