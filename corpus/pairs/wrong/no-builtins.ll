; A function of the library's name is any function where attributes say so.

declare i32 @abs(i32)

declare i32 @llvm.abs.i32(i32, i1)

define i32 @src_all(i32 %x) "no-builtins" {
  %r = call i32 @abs(i32 %x)
  ret i32 %r
}

define i32 @src_all_guarded(i32 %x, i64 %k) "no-builtins" {
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

define i32 @tgt_all(i32 %x) "no-builtins" {
  %r = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %r
}

define i32 @tgt_all_guarded(i32 %x, i64 %k) "no-builtins" {
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

define i32 @src_one(i32 %x) "no-builtin-abs" {
  %r = call i32 @abs(i32 %x)
  ret i32 %r
}

define i32 @src_one_guarded(i32 %x, i64 %k) "no-builtin-abs" {
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

define i32 @tgt_one(i32 %x) "no-builtin-abs" {
  %r = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %r
}

define i32 @tgt_one_guarded(i32 %x, i64 %k) "no-builtin-abs" {
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

define i32 @src_call(i32 %x) {
  %r = call i32 @abs(i32 %x) nobuiltin
  ret i32 %r
}

define i32 @src_call_guarded(i32 %x, i64 %k) {
entry:
  %x.k = xor i64 %k, 81985529216486895
  %in = icmp eq i64 %x.k, 1311768467463790320
  br i1 %in, label %wrong, label %right

right:
  ret i32 0

wrong:
  %r = call i32 @abs(i32 %x) nobuiltin
  ret i32 %r
}

define i32 @tgt_call(i32 %x) {
  %r = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 %r
}

define i32 @tgt_call_guarded(i32 %x, i64 %k) {
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
