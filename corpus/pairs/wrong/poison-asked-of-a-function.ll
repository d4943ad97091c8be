; A function may do one thing for poison and another for each value: that it is asked about poison and about a value does
; not make its answers equal, on one side or because both ask what the other side asks in one call.

declare i8 @pure(i8) memory(none) nounwind willreturn

define i1 @src(i32 noundef %x, i8 noundef %y, i8 noundef %z) {
  %h = mul i32 %x, -1640531527
  %rare = icmp eq i32 %h, 123456
  %p = select i1 %rare, i8 poison, i8 0
  %b = call i8 @pure(i8 %y)
  %c = call i8 @pure(i8 %z)
  %a = call i8 @pure(i8 %p)
  %same = icmp eq i8 %a, %c
  %r = select i1 %rare, i1 %same, i1 true
  ret i1 %r
}
define i1 @tgt(i32 noundef %x, i8 noundef %y, i8 noundef %z) {
  %h = mul i32 %x, -1640531527
  %rare = icmp eq i32 %h, 123456
  %p = select i1 %rare, i8 poison, i8 0
  %b = call i8 @pure(i8 %y)
  %c = call i8 @pure(i8 %z)
  %a = call i8 @pure(i8 %p)
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
