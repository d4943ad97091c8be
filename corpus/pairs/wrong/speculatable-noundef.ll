; What the call states of the result, and what is declared of a function that is not `speculatable`, is not a fact: a call that
; the source does not make may violate it. Nor does `range` alone keep a result from being poison.

declare noundef i32 @f(i32 noundef) memory(none) nounwind willreturn
declare i32 @s(i32 noundef) speculatable memory(none) nounwind willreturn
declare range(i8 0, 10) i8 @r(i32 noundef) speculatable memory(none) nounwind willreturn
declare noundef i32 @n(i32 noundef) speculatable memory(none) nounwind willreturn

define i32 @src_unsafe(i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %a, label %b
a:
  %r = call i32 @f(i32 %x)
  ret i32 %r
b:
  ret i32 0
}
define i32 @tgt_unsafe(i1 noundef %c, i32 noundef %x) {
  %r = call i32 @f(i32 %x)
  %s = select i1 %c, i32 %r, i32 0
  ret i32 %s
}

define i32 @src_call(i1 noundef %c, i32 noundef %x) {
  br i1 %c, label %a, label %b
a:
  %r = call noundef i32 @s(i32 %x)
  ret i32 %r
b:
  ret i32 0
}
define i32 @tgt_call(i1 noundef %c, i32 noundef %x) {
  %r = call noundef i32 @s(i32 %x)
  %s = select i1 %c, i32 %r, i32 0
  ret i32 %s
}

define i8 @src_range(i32 noundef %x) {
  %r = call i8 @r(i32 %x)
  %s = freeze i8 %r
  ret i8 %s
}
define i8 @tgt_range(i32 noundef %x) {
  %r = call i8 @r(i32 %x)
  ret i8 %r
}

define i32 @src_value(i32 noundef %x) {
  %r = call i32 @n(i32 %x)
  ret i32 %r
}
define i32 @tgt_value(i32 noundef %x) {
  %r = call i32 @n(i32 %x)
  ret i32 0
}
