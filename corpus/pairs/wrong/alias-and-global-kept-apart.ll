@cell = global i64 0
@al = alias i64, ptr @cell
define i64 @src(i64 %x) {
  %h = mul i64 %x, 7777777777777
  %c = icmp eq i64 %h, 123456789012345678
  br i1 %c, label %a, label %b
a:
  store i64 5, ptr @cell
  store i64 6, ptr @al
  %r = load i64, ptr @cell
  ret i64 %r
b:
  ret i64 0
}
define i64 @tgt(i64 %x) {
  %h = mul i64 %x, 7777777777777
  %c = icmp eq i64 %h, 123456789012345678
  br i1 %c, label %a, label %b
a:
  store i64 5, ptr @cell
  store i64 6, ptr @al
  ret i64 5
b:
  ret i64 0
}
