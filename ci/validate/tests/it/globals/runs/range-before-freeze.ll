; A poison-generating range before a `freeze`.
; judged icall: keeps !invariant.load

declare i32 @llvm.ctlz.i32(i32, i1)
define void @src_icall(ptr noundef dereferenceable(8) align 8 %p, i32 noundef %a) {
  store i64 1, ptr %p, align 8
  %b = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %c = freeze i32 %b
  %d = icmp eq i32 %c, 7
  br i1 %d, label %x, label %y
x:
  %v = load i64, ptr %p, align 8, !invariant.load !0
  br label %y
y:
  ret void
}
define void @tgt_icall(ptr noundef dereferenceable(8) align 8 %p, i32 noundef %a) {
  store i64 1, ptr %p, align 8
  %b = call range(i32 0, 8) i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %c = freeze i32 %b
  %d = icmp eq i32 %c, 7
  br i1 %d, label %x, label %y
x:
  %v = load i64, ptr %p, align 8, !invariant.load !0
  br label %y
y:
  ret void
}
!0 = !{}
