; One function per flag: what each promises and the poison when it is broken.

define i8 @nsw(i8 %x) {
  %r = add nsw i8 %x, 100
  ret i8 %r
}

define i8 @exact(i8 %x) {
  %r = lshr exact i8 %x, 1
  ret i8 %r
}

define i8 @disjoint(i8 %x) {
  %r = or disjoint i8 %x, 1
  ret i8 %r
}

define i32 @nneg(i8 %x) {
  %r = zext nneg i8 %x to i32
  ret i32 %r
}

define i8 @trunc.nuw(i32 %x) {
  %r = trunc nuw i32 %x to i8
  ret i8 %r
}

define i8 @samesign(i8 %x) {
  %c = icmp samesign ult i8 %x, 10
  %r = zext i1 %c to i8
  ret i8 %r
}

define i8 @shift(i8 %x, i8 %s) {
  %r = shl i8 %x, %s
  ret i8 %r
}
