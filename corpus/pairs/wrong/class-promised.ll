; The target promises of what a call returns that it is no infinity of either sign and no NaN.
declare float @k(float) memory(none) nounwind willreturn

define i64 @src(i64 %x, float %f) {
  %h = mul i64 %x, 7777777777777
  %c = icmp eq i64 %h, 123456789012345678
  br i1 %c, label %a, label %b
a:
  %g = call float @k(float %f)
  %i = bitcast float %g to i32
  %z = zext i32 %i to i64
  ret i64 %z
b:
  ret i64 0
}

define i64 @tgt(i64 %x, float %f) {
  %h = mul i64 %x, 7777777777777
  %c = icmp eq i64 %h, 123456789012345678
  br i1 %c, label %a, label %b
a:
  %g = call nofpclass(nan inf) float @k(float %f)
  %i = bitcast float %g to i32
  %z = zext i32 %i to i64
  ret i64 %z
b:
  ret i64 0
}
