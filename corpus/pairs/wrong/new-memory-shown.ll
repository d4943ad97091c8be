; Memory that a noalias call returns is written by calls that got its address.

declare noalias ptr @allocate(i64)
declare void @other()
declare void @take(ptr)

@shown = global ptr null

define i8 @src_passed() {
  %p = call nonnull dereferenceable(4) ptr @allocate(i64 4)
  store i8 3, ptr %p
  call void @take(ptr %p)
  %r = load i8, ptr %p
  ret i8 %r
}
define i8 @tgt_passed() {
  %p = call nonnull dereferenceable(4) ptr @allocate(i64 4)
  store i8 3, ptr %p
  call void @take(ptr %p)
  ret i8 3
}

define i8 @src_stored() {
  %p = call nonnull dereferenceable(4) ptr @allocate(i64 4)
  store ptr %p, ptr @shown
  store i8 3, ptr %p
  call void @other()
  %r = load i8, ptr %p
  ret i8 %r
}
define i8 @tgt_stored() {
  %p = call nonnull dereferenceable(4) ptr @allocate(i64 4)
  store ptr %p, ptr @shown
  store i8 3, ptr %p
  call void @other()
  ret i8 3
}
