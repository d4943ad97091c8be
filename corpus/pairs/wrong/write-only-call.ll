; A call that only writes may write what the store after it writes: the order counts.

@g = global i32 0
declare i32 @write() nounwind willreturn memory(write)

define i32 @src() {
  %r = call i32 @write()
  store i32 9, ptr @g
  ret i32 %r
}
define i32 @tgt() {
  store i32 9, ptr @g
  %r = call i32 @write()
  ret i32 %r
}

define i32 @src_guarded(i64 noundef %k) {
  %x = xor i64 %k, 81985529216486895
  %c = icmp eq i64 %x, 1147797409030816545
  br i1 %c, label %there, label %end
there:
  %r = call i32 @write()
  store i32 9, ptr @g
  ret i32 %r
end:
  ret i32 0
}
define i32 @tgt_guarded(i64 noundef %k) {
  %x = xor i64 %k, 81985529216486895
  %c = icmp eq i64 %x, 1147797409030816545
  br i1 %c, label %there, label %end
there:
  store i32 9, ptr @g
  %r = call i32 @write()
  ret i32 %r
end:
  ret i32 0
}
