; A function with an alloca that others are shown, put in place of two calls of it: the one alloca, which starts to live
; twice, stands for those of both calls. What others knew of the first one has ended with it.

declare void @keep(ptr)
declare void @other()
define void @k(i32 %x) {
  %a = alloca i32
  store i32 %x, ptr %a
  call void @keep(ptr %a)
  ret void
}
define void @src(i32 %n, i32 %m) {
  call void @k(i32 %n)
  call void @other()
  call void @k(i32 %m)
  call void @other()
  ret void
}
define void @tgt(i32 %n, i32 %m) {
  %a = alloca i32
  call void @llvm.lifetime.start.p0(ptr %a)
  store i32 %n, ptr %a
  call void @keep(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @other()
  call void @llvm.lifetime.start.p0(ptr %a)
  store i32 %m, ptr %a
  call void @keep(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @other()
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; The same without markers.
define void @src_once(i32 %n, i32 %m) {
  call void @k(i32 %n)
  call void @k(i32 %m)
  ret void
}
define void @tgt_once(i32 %n, i32 %m) {
  %a = alloca i32
  store i32 %n, ptr %a
  call void @keep(ptr %a)
  store i32 %m, ptr %a
  call void @keep(ptr %a)
  ret void
}
