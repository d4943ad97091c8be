; An alloca with lifetime markers is dead before the first of them: a store moved up over it is undefined.

define i8 @src(i8 %x) {
entry:
  %p = alloca i8
  call void @llvm.lifetime.start.p0(ptr %p)
  store i8 %x, ptr %p
  %r = load i8, ptr %p
  call void @llvm.lifetime.end.p0(ptr %p)
  ret i8 %r
}

define i8 @tgt(i8 %x) {
entry:
  %p = alloca i8
  store i8 %x, ptr %p
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @llvm.lifetime.end.p0(ptr %p)
  ret i8 %x
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
