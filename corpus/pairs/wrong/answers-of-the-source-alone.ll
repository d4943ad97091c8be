; Two calls of a function without effects, with different arguments, need not answer the same. Only the source makes them:
; that it returns false is seen where they are answered differently.
declare i8 @pure(i8) memory(none) nounwind willreturn

define i1 @src(i8 noundef %x, i8 noundef %y) {
  %p = shl nuw i8 %x, 1
  %a = call i8 @pure(i8 %p)
  %b = call i8 @pure(i8 %y)
  %same = icmp eq i8 %a, %b
  ret i1 %same
}

define i1 @tgt(i8 noundef %x, i8 noundef %y) {
  ret i1 true
}

; Asked about poison, the function may answer what it answers about any value. This is right, and not seen.
define i1 @src_poison(i8 noundef %x, i8 noundef %y) {
  %p = shl nuw i8 %x, 1
  %a = call i8 @pure(i8 %p)
  %b = call i8 @pure(i8 %y)
  %big = icmp ugt i8 %x, 127
  %same = icmp eq i8 %a, %b
  %r = select i1 %big, i1 %same, i1 true
  ret i1 %r
}
