; Freeze: an arbitrary value that stays what it is; each freeze has its own.

; @twice_the_same(poison) -> i8 0
; @twice_the_same(undef) -> i8 0
define i8 @twice_the_same(i8 %x) {
  %f = freeze i8 %x
  %r = xor i8 %f, %f
  ret i8 %r
}
; @two_freezes(poison) -> i2 0 | i2 1 | i2 -2 | i2 -1
define i2 @two_freezes(i2 %x) {
  %f = freeze i2 %x
  %g = freeze i2 %x
  %r = xor i2 %f, %g
  ret i2 %r
}
; @of_a_value(7) -> i8 7
define i8 @of_a_value(i8 %x) {
  %f = freeze i8 %x
  ret i8 %f
}
; Only what is undefined is chosen.
; @of_part(undef) -> i8 8 | i8 9
define i8 @of_part(i1 %x) {
  %z = zext i1 %x to i8
  %y = or i8 %z, 8
  %f = freeze i8 %y
  ret i8 %f
}
; @not_of_an_operand(255) -> poison
define i8 @not_of_an_operand(i8 %x) {
  %f = freeze i8 %x
  %r = add nuw i8 %f, 1
  ret i8 %r
}
; @lanes({poison, 1}) -> { i1 false, i1 true } | { i1 true, i1 true }
define <2 x i1> @lanes(<2 x i1> %v) {
  %f = freeze <2 x i1> %v
  ret <2 x i1> %f
}
; @members({poison, 3}) -> { i1 false, i8 3 } | { i1 true, i8 3 }
define { i1, i8 } @members({ i1, i8 } %a) {
  %f = freeze { i1, i8 } %a
  ret { i1, i8 } %f
}
; Stays one value over the iterations of a loop that it is outside of.
; @outside_a_loop(poison) -> i8 0 | i8 3
define i8 @outside_a_loop(i1 %x) {
entry:
  %f = freeze i1 %x
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %j, %loop ]
  %s = phi i8 [ 0, %entry ], [ %t, %loop ]
  %z = zext i1 %f to i8
  %t = add i8 %s, %z
  %j = add i8 %i, 1
  %c = icmp ult i8 %j, 3
  br i1 %c, label %loop, label %exit
exit:
  ret i8 %t
}
; Inside of it, it is chosen in each.
; @inside_a_loop(poison) -> i8 0 | i8 1 | i8 2 | i8 3
define i8 @inside_a_loop(i1 %x) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %j, %loop ]
  %s = phi i8 [ 0, %entry ], [ %t, %loop ]
  %f = freeze i1 %x
  %z = zext i1 %f to i8
  %t = add i8 %s, %z
  %j = add i8 %i, 1
  %c = icmp ult i8 %j, 3
  br i1 %c, label %loop, label %exit
exit:
  ret i8 %t
}
; undef: @of_uninitialised() -> i1 false | i1 true
; poison: @of_uninitialised() -> i1 false | i1 true
define i1 @of_uninitialised() {
  %p = alloca i1
  %x = load i1, ptr %p
  %f = freeze i1 %x
  ret i1 %f
}
; @makes_a_divisor_defined(poison) -> ub division-by-zero | i2 1 | i2 0
define i2 @makes_a_divisor_defined(i2 %x) {
  %f = freeze i2 %x
  %r = udiv i2 1, %f
  ret i2 %r
}
