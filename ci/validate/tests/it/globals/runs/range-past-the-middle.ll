; Bytes at the greatest offset.
; judged range_past_the_middle: if memory that @tgt_range_past_the_middle writes

define void @src_range_past_the_middle(ptr noalias noundef dereferenceable(8) align 4 %p, ptr noundef dereferenceable(1) %q, i64 noundef %i) {
  %j = add i64 %i, 9223372036854775806
  %a = getelementptr i8, ptr %p, i64 %j
  %o = load i32, ptr %a, align 1, !noundef !6
  %t = trunc i32 %o to i8
  store i8 %t, ptr %a, align 1
  %r = load i8, ptr %q, align 1
  ret void
}
define void @tgt_range_past_the_middle(ptr noalias noundef dereferenceable(8) align 4 %p, ptr noundef dereferenceable(1) %q, i64 noundef %i) {
  %j = add i64 %i, 9223372036854775806
  %a = getelementptr i8, ptr %p, i64 %j
  %o = load i32, ptr %a, align 1, !noundef !6
  store i32 %o, ptr %a, align 1
  %r = load i8, ptr %q, align 1
  ret void
}
!6 = !{}
