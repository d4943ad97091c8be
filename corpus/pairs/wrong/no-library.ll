; LLVM knows no library functions for GPUs.

target triple = "nvptx64-nvidia-cuda"

declare i32 @abs(i32)

declare i32 @llvm.abs.i32(i32, i1)

define i32 @src_abs(i32 %x) {
  %r = call i32 @abs(i32 %x)
  ret i32 %r
}

define i32 @src_abs_guarded(i32 %x, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 @abs(i32 %x)
  ret i32 %r
}

define i32 @tgt_abs(i32 %x) {
  %r = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %r
}

define i32 @tgt_abs_guarded(i32 %x, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %r
}
