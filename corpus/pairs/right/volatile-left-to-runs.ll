; The same where the solver does not model the access: runs decide, or nobody does.

define void @src_valid_null(i32 noundef %x) null_pointer_is_valid {
  %y = mul i32 %x, 2
  store volatile i32 %y, ptr null
  ret void
}
define void @tgt_valid_null(i32 noundef %x) null_pointer_is_valid {
  %y = shl i32 %x, 1
  store volatile i32 %y, ptr null
  ret void
}
