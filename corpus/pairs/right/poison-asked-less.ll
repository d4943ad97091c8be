; What asks a function about poison may ask it about a value instead, once for two calls that asked about the same.

declare i8 @pure(i8) memory(none) nounwind willreturn

define i8 @src(i8 %x) {
  %p = shl nuw i8 %x, 1
  %a = call i8 @pure(i8 %p)
  %b = call i8 @pure(i8 %p)
  %r = sub i8 %a, %b
  ret i8 %r
}
define i8 @tgt(i8 %x) {
  %p = shl i8 %x, 1
  %a = call i8 @pure(i8 %p)
  %r = sub i8 %a, %a
  ret i8 %r
}
