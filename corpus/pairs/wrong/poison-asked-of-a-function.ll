; A function may do one thing for poison and another for each value: that it is asked about poison and about a value does
; not make its answers equal, on one side or because both ask what the other side asks in one call.

declare i8 @pure(i8) memory(none) nounwind willreturn

define i1 @src(i8 noundef %x, i8 noundef %y) {
  %p = shl nuw i8 %x, 1
  %a = call i8 @pure(i8 %p)
  %b = call i8 @pure(i8 %y)
  %big = icmp ugt i8 %x, 127
  %same = icmp eq i8 %a, %b
  %r = select i1 %big, i1 %same, i1 true
  ret i1 %r
}
define i1 @tgt(i8 noundef %x, i8 noundef %y) {
  ret i1 true
}

define i1 @src2(i8 noundef %x) {
  %a = call i8 @pure(i8 poison)
  ret i1 true
}
define i1 @tgt2(i8 noundef %x) {
  %b = call i8 @pure(i8 5)
  %c = call i8 @pure(i8 %x)
  %r = icmp eq i8 %b, %c
  ret i1 %r
}
