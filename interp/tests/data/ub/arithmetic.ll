; Integer arithmetic: each flag kept and broken, shifts by too much, divisions, poison operands.

; @add_nsw(126) -> i8 127
; @add_nsw(127) -> poison
define i8 @add_nsw(i8 %x) {
  %r = add nsw i8 %x, 1
  ret i8 %r
}
; @add_nuw(254) -> i8 -1
; @add_nuw(255) -> poison
define i8 @add_nuw(i8 %x) {
  %r = add nuw i8 %x, 1
  ret i8 %r
}
; @add_both(-1) -> poison
; @add_both(126) -> i8 127
define i8 @add_both(i8 %x) {
  %r = add nuw nsw i8 %x, 1
  ret i8 %r
}
; @add_plain(127) -> i8 -128
define i8 @add_plain(i8 %x) {
  %r = add i8 %x, 1
  ret i8 %r
}
; @sub_nsw(-128) -> poison
; @sub_nsw(-127) -> i8 -128
define i8 @sub_nsw(i8 %x) {
  %r = sub nsw i8 %x, 1
  ret i8 %r
}
; @sub_nuw(0) -> poison
; @sub_nuw(1) -> i8 0
define i8 @sub_nuw(i8 %x) {
  %r = sub nuw i8 %x, 1
  ret i8 %r
}
; @mul_nsw(64) -> poison
; @mul_nsw(-64) -> i8 -128
define i8 @mul_nsw(i8 %x) {
  %r = mul nsw i8 %x, 2
  ret i8 %r
}
; @mul_nsw_min(-128) -> poison
; @mul_nsw_min(-127) -> i8 127
define i8 @mul_nsw_min(i8 %x) {
  %r = mul nsw i8 %x, -1
  ret i8 %r
}
; @mul_nuw(128) -> poison
; @mul_nuw(127) -> i8 -2
define i8 @mul_nuw(i8 %x) {
  %r = mul nuw i8 %x, 2
  ret i8 %r
}
; The product of anything and zero is zero; that of poison is poison.
; @mul_zero(undef) -> i8 0
; @mul_zero(poison) -> poison
define i8 @mul_zero(i8 %x) {
  %r = mul i8 %x, 0
  ret i8 %r
}
; @shl_nsw(64) -> poison
; @shl_nsw(-64) -> i8 -128
; @shl_nsw(63) -> i8 126
define i8 @shl_nsw(i8 %x) {
  %r = shl nsw i8 %x, 1
  ret i8 %r
}
; @shl_nuw(128) -> poison
; @shl_nuw(64) -> i8 -128
define i8 @shl_nuw(i8 %x) {
  %r = shl nuw i8 %x, 1
  ret i8 %r
}
; @shl_amount(7) -> i8 -128
; @shl_amount(8) -> poison
; @shl_amount(255) -> poison
; @shl_amount(poison) -> poison
; @shl_amount(undef) -> poison
define i8 @shl_amount(i8 %by) {
  %r = shl i8 1, %by
  ret i8 %r
}
; A shift of 0 by too much is poison all the same.
; @shl_zero(9) -> poison
define i8 @shl_zero(i8 %by) {
  %r = shl i8 0, %by
  ret i8 %r
}
; @lshr_amount(8) -> poison
; @lshr_amount(7) -> i8 1
define i8 @lshr_amount(i8 %by) {
  %r = lshr i8 -1, %by
  ret i8 %r
}
; @ashr_amount(8) -> poison
; @ashr_amount(7) -> i8 -1
define i8 @ashr_amount(i8 %by) {
  %r = ashr i8 -1, %by
  ret i8 %r
}
; @lshr_exact(6) -> i8 3
; @lshr_exact(7) -> poison
define i8 @lshr_exact(i8 %x) {
  %r = lshr exact i8 %x, 1
  ret i8 %r
}
; @ashr_exact(-4) -> i8 -1
; @ashr_exact(-3) -> poison
define i8 @ashr_exact(i8 %x) {
  %r = ashr exact i8 %x, 2
  ret i8 %r
}
; @udiv_exact(9) -> i8 3
; @udiv_exact(10) -> poison
define i8 @udiv_exact(i8 %x) {
  %r = udiv exact i8 %x, 3
  ret i8 %r
}
; @sdiv_exact(-9) -> i8 -3
; @sdiv_exact(-10) -> poison
define i8 @sdiv_exact(i8 %x) {
  %r = sdiv exact i8 %x, 3
  ret i8 %r
}
; @or_disjoint(4) -> i8 5
; @or_disjoint(5) -> poison
define i8 @or_disjoint(i8 %x) {
  %r = or disjoint i8 %x, 1
  ret i8 %r
}
; @udiv_by(0) -> ub division-by-zero
; @udiv_by(poison) -> ub division-by-poison
; @udiv_by(undef) -> ub division-by-zero
; @udiv_by(3) -> i8 33
define i8 @udiv_by(i8 %d) {
  %r = udiv i8 100, %d
  ret i8 %r
}
; @urem_by(0) -> ub division-by-zero
; @urem_by(7) -> i8 2
define i8 @urem_by(i8 %d) {
  %r = urem i8 100, %d
  ret i8 %r
}
; @sdiv_by(0) -> ub division-by-zero
; @sdiv_by(-1) -> ub division-overflow
; @sdiv_by(-2) -> i8 64
define i8 @sdiv_by(i8 %d) {
  %r = sdiv i8 -128, %d
  ret i8 %r
}
; @srem_by(-1) -> ub division-overflow
; @srem_by(poison) -> ub division-by-poison
define i8 @srem_by(i8 %d) {
  %r = srem i8 -128, %d
  ret i8 %r
}
; The dividend's poison is no UB, nor is it when the divisor would overflow with some value of it.
; @udiv_poison(poison) -> poison
; @udiv_poison(undef) -> i8 0 | i8 1 | i8 2 | i8 3 | i8 4 | i8 5
define i8 @udiv_poison(i8 %x) {
  %r = udiv i8 %x, 50
  ret i8 %r
}
; @sdiv_poison_by_minus_one(poison) -> poison
; @sdiv_poison_by_minus_one(undef) -> ub division-overflow
; @sdiv_poison_by_minus_one(5) -> i8 -5
define i8 @sdiv_poison_by_minus_one(i8 %x) {
  %r = sdiv i8 %x, -1
  ret i8 %r
}
; One poison operand is enough, whatever the operation would make of the other.
; @and_zero(poison) -> poison
define i8 @and_zero(i8 %x) {
  %r = and i8 %x, 0
  ret i8 %r
}
; @or_ones(poison) -> poison
define i8 @or_ones(i8 %x) {
  %r = or i8 %x, -1
  ret i8 %r
}
; @xor_self(poison) -> poison
; Each use of undef may see another value.
; @xor_self(undef) -> undef
; @xor_self(9) -> i8 0
define i8 @xor_self(i8 %x) {
  %r = xor i8 %x, %x
  ret i8 %r
}
; @sub_self(undef) -> undef
define i8 @sub_self(i8 %x) {
  %r = sub i8 %x, %x
  ret i8 %r
}
; Bits that are masked are defined again.
; @and_mask(undef) -> i8 0b00000???
define i8 @and_mask(i8 %x) {
  %r = and i8 %x, 7
  ret i8 %r
}
; A flag that some choice of undef breaks.
; @nuw_undef(undef) -> poison
define i8 @nuw_undef(i8 %x) {
  %r = add nuw i8 %x, 1
  ret i8 %r
}
; @i1_add(true) -> poison
define i1 @i1_add(i1 %x) {
  %r = add nsw i1 %x, %x
  ret i1 %r
}
; A shift of an i1 by 1 is a shift by its width.
; @i1_shl(true) -> poison
; @i1_shl(false) -> i1 true
define i1 @i1_shl(i1 %by) {
  %r = shl i1 true, %by
  ret i1 %r
}
; @wide_nsw(170141183460469231731687303715884105727) -> poison
define i128 @wide_nsw(i128 %x) {
  %r = add nsw i128 %x, 1
  ret i128 %r
}
