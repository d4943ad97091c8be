define void @f(ptr noundef dereferenceable(1) %p) {
  store i8 undef, ptr %p
  ret void
}
