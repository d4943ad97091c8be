; Writes of the same bytes.
; judged msk: refines, all iterations
; judged sel2: refines, all iterations
; judged gepm: refines, all iterations

declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
define i32 @src_msk(ptr noalias noundef %p, <4 x i32> noundef %v, <4 x i1> noundef %m, i32 noundef %a) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> %m)
  %r = mul i32 %a, 2
  ret i32 %r
}
define i32 @tgt_msk(ptr noalias noundef %p, <4 x i32> noundef %v, <4 x i1> noundef %m, i32 noundef %a) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> %m)
  %r = shl i32 %a, 1
  ret i32 %r
}
define i32 @src_sel2(ptr noalias noundef %p, ptr noundef %q, i1 noundef %c, i32 noundef %a) {
  br i1 %c, label %x, label %y
x:
  store i32 1, ptr %p
  br label %j
y:
  store i32 1, ptr %q
  br label %j
j:
  ret i32 %a
}
define i32 @tgt_sel2(ptr noalias noundef %p, ptr noundef %q, i1 noundef %c, i32 noundef %a) {
  %s = select i1 %c, ptr %p, ptr %q
  store i32 1, ptr %s
  ret i32 %a
}
define i32 @src_gepm(ptr noalias noundef %p, i64 noundef %i, i32 noundef %a) {
  %j = add i64 %i, %i
  %g = getelementptr i32, ptr %p, i64 %j
  store i32 1, ptr %g
  ret i32 %a
}
define i32 @tgt_gepm(ptr noalias noundef %p, i64 noundef %i, i32 noundef %a) {
  %j = shl i64 %i, 3
  %g = getelementptr i8, ptr %p, i64 %j
  store i32 1, ptr %g
  ret i32 %a
}
