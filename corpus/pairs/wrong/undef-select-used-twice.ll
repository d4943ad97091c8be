; Each use of a select of undef sees another choice; runs take one for both uses.

define i8 @src(i8 noundef %n) {
entry:
  ret i8 0
}

define i8 @tgt(i8 noundef %n) {
entry:
  %v = select i1 undef, i8 1, i8 2
  %r = sub i8 %v, %v
  ret i8 %r
}
