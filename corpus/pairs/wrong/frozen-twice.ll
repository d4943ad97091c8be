; two freezes of one value may choose differently
define i32 @once(i32 %x) {
  %f = freeze i32 %x
  %d = sub i32 %f, %f
  ret i32 %d
}
define i32 @twice(i32 %x) {
  %f = freeze i32 %x
  %g = freeze i32 %x
  %d = sub i32 %f, %g
  ret i32 %d
}
