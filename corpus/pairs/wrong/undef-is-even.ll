; Twice anything is even, whatever undef is: one use of the product can be decided by looking at all choices.

define i8 @src() {
  %o = mul i8 undef, 2
  ret i8 %o
}

define i8 @tgt() {
  %f = freeze i8 undef
  %o = and i8 %f, -4
  %p = or i8 %o, 1
  ret i8 %p
}
