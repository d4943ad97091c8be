; Intrinsics that make poison or UB, and assumptions.

; @assume(1) -> void
; @assume(0) -> ub assume-violated
; @assume(poison) -> ub assume-violated
; @assume(undef) -> ub assume-violated
define void @assume(i1 %c) {
  call void @llvm.assume(i1 %c)
  ret void
}
; @assume_nonnull(null) -> ub assume-violated
; @assume_nonnull(zeros:1) -> void
define void @assume_nonnull(ptr %p) {
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p) ]
  ret void
}
; @assume_align(zeros:8+1) -> ub assume-violated
; @assume_align(zeros:8+4) -> void
define void @assume_align(ptr %p) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 4) ]
  ret void
}
; @assume_dereferenceable(zeros:3) -> ub assume-violated
; @assume_dereferenceable(zeros:4) -> void
define void @assume_dereferenceable(ptr %p) {
  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr %p, i64 4) ]
  ret void
}
; @assume_noundef(poison) -> ub assume-violated
; @assume_noundef(2) -> void
define void @assume_noundef(i8 %x) {
  call void @llvm.assume(i1 true) [ "noundef"(i8 %x) ]
  ret void
}
; @abs_min(-128) -> poison
; @abs_min(-127) -> i8 127
define i8 @abs_min(i8 %x) {
  %r = call i8 @llvm.abs.i8(i8 %x, i1 true)
  ret i8 %r
}
; @abs_plain(-128) -> i8 -128
define i8 @abs_plain(i8 %x) {
  %r = call i8 @llvm.abs.i8(i8 %x, i1 false)
  ret i8 %r
}
; @ctlz_zero(0) -> poison
; @ctlz_zero(1) -> i8 7
define i8 @ctlz_zero(i8 %x) {
  %r = call i8 @llvm.ctlz.i8(i8 %x, i1 true)
  ret i8 %r
}
; @ctlz_plain(0) -> i8 8
define i8 @ctlz_plain(i8 %x) {
  %r = call i8 @llvm.ctlz.i8(i8 %x, i1 false)
  ret i8 %r
}
; @cttz_zero(0) -> poison
; @cttz_zero(8) -> i8 3
define i8 @cttz_zero(i8 %x) {
  %r = call i8 @llvm.cttz.i8(i8 %x, i1 true)
  ret i8 %r
}
; @umin(poison) -> poison
define i8 @umin(i8 %x) {
  %r = call i8 @llvm.umin.i8(i8 %x, i8 0)
  ret i8 %r
}
; @saturating_shift(8) -> poison
; @saturating_shift(7) -> i8 -1
define i8 @saturating_shift(i8 %by) {
  %r = call i8 @llvm.ushl.sat.i8(i8 3, i8 %by)
  ret i8 %r
}
; Funnel shifts take the amount modulo the width.
; @funnel(8) -> i8 1
; @funnel(poison) -> poison
define i8 @funnel(i8 %by) {
  %r = call i8 @llvm.fshl.i8(i8 1, i8 2, i8 %by)
  ret i8 %r
}
; @with_overflow(127) -> { i8 -128, i1 true }
; @with_overflow(poison) -> { poison, poison }
define { i8, i1 } @with_overflow(i8 %x) {
  %r = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %x, i8 1)
  ret { i8, i1 } %r
}
; @expect_poison(poison) -> poison
define i1 @expect_poison(i1 %x) {
  %r = call i1 @llvm.expect.i1(i1 %x, i1 true)
  ret i1 %r
}
; Saturating conversions have no poison but that of the operand.
; @convert_saturating(1e30) -> i8 127
; @convert_saturating(nan) -> i8 0
; @convert_saturating(poison) -> poison
define i8 @convert_saturating(double %x) {
  %r = call i8 @llvm.fptosi.sat.i8.f64(double %x)
  ret i8 %r
}
; @mask_of_poison(poison) -> poison
define i8 @mask_of_poison(i8 %x) {
  %r = call i8 @llvm.bitreverse.i8(i8 %x)
  ret i8 %r
}
; Whether something is a constant depends on what the optimizer finds, each time anew; poison is no exception.
; @is_constant(3) -> i1 false | i1 true
; @is_constant(poison) -> i1 false | i1 true
define i1 @is_constant(i8 %x) {
  %r = call i1 @llvm.is.constant.i8(i8 %x)
  ret i1 %r
}
; @constant_is_constant() -> i1 false | i1 true
define i1 @constant_is_constant() {
  %r = call i1 @llvm.is.constant.i8(i8 7)
  ret i1 %r
}
; @is_constant_twice(3) -> i1 false | i1 true
define i1 @is_constant_twice(i8 %x) {
  %a = call i1 @llvm.is.constant.i8(i8 %x)
  %b = call i1 @llvm.is.constant.i8(i8 %x)
  %r = xor i1 %a, %b
  ret i1 %r
}
; The size is known here; the optimizer need not find it.
; @size_of(zeros:9) -> i64 -1 | i64 9
; @size_of(null) -> i64 -1
define i64 @size_of(ptr %p) {
  %r = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 false, i1 false)
  ret i64 %r
}
; @least_size_of(zeros:9) -> i64 0 | i64 9
define i64 @least_size_of(ptr %p) {
  %r = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 true, i1 false, i1 false)
  ret i64 %r
}
; @checks_allowed() -> i1 false | i1 true
define i1 @checks_allowed() {
  %a = call i1 @llvm.allow.runtime.check(metadata !"one")
  %b = call i1 @llvm.allow.ubsan.check(i8 3)
  %r = and i1 %a, %b
  ret i1 %r
}
; Fixed-point results between two neighbours are either of them.
; @fixed_product(3, -3) -> i8 -4 | i8 -5
; @fixed_product(3, 2) -> i8 3
; @fixed_product(127, 127) -> ub fixed-point-overflow
; @fixed_product(poison, 127) -> poison
define i8 @fixed_product(i8 %x, i8 %y) {
  %r = call i8 @llvm.smul.fix.i8(i8 %x, i8 %y, i32 1)
  ret i8 %r
}
; @fixed_product_saturated(127, 127) -> i8 127
; @fixed_product_saturated(127, -128) -> i8 -128
define i8 @fixed_product_saturated(i8 %x, i8 %y) {
  %r = call i8 @llvm.smul.fix.sat.i8(i8 %x, i8 %y, i32 1)
  ret i8 %r
}
; @fixed_quotient(3, 4) -> i8 1 | i8 2
; @fixed_quotient(3, 0) -> ub division-by-zero
; @fixed_quotient(3, poison) -> ub division-by-poison
; @fixed_quotient(-128, -1) -> ub fixed-point-overflow
; @fixed_quotient(poison, 1) -> poison
define i8 @fixed_quotient(i8 %x, i8 %y) {
  %r = call i8 @llvm.sdiv.fix.i8(i8 %x, i8 %y, i32 1)
  ret i8 %r
}
; @fixed_quotient_saturated(-128, -1) -> i8 127
; @fixed_quotient_saturated(3, 0) -> ub division-by-zero
define i8 @fixed_quotient_saturated(i8 %x, i8 %y) {
  %r = call i8 @llvm.sdiv.fix.sat.i8(i8 %x, i8 %y, i32 1)
  ret i8 %r
}
; @masked_pointers({zeros:16+5, poison}) -> { i64 0, poison }
define <2 x i64> @masked_pointers(<2 x ptr> %p) {
  %q = call <2 x ptr> @llvm.ptrmask.v2p0.v2i64(<2 x ptr> %p, <2 x i64> splat (i64 -8))
  %a = ptrtoint <2 x ptr> %q to <2 x i64>
  %r = and <2 x i64> %a, splat (i64 7)
  ret <2 x i64> %r
}
; A table of distances from itself.
@here = internal constant i32 7
@there = internal constant [2 x i32] [i32 8, i32 trunc (i64 sub (i64 ptrtoint (ptr @here to i64), i64 ptrtoint (ptr @there to i64)) to i32)]
; @relative(4) -> i32 7
; The distance leads to the end of the table.
; @relative(0) -> ub out-of-bounds
; @relative(8) -> ub out-of-bounds
; @relative(1) -> ub misaligned
; @relative(poison) -> ub poison-pointer
define i32 @relative(i64 %at) {
  %p = call ptr @llvm.load.relative.i64(ptr @there, i64 %at)
  %r = load i32, ptr %p
  ret i32 %r
}
declare i8 @llvm.smul.fix.i8(i8, i8, i32)
declare i8 @llvm.smul.fix.sat.i8(i8, i8, i32)
declare i8 @llvm.sdiv.fix.i8(i8, i8, i32)
declare i8 @llvm.sdiv.fix.sat.i8(i8, i8, i32)
declare <2 x ptr> @llvm.ptrmask.v2p0.v2i64(<2 x ptr>, <2 x i64>)
declare ptr @llvm.load.relative.i64(ptr, i64)
declare i1 @llvm.is.constant.i8(i8)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare i1 @llvm.allow.runtime.check(metadata)
declare i1 @llvm.allow.ubsan.check(i8)
declare void @llvm.assume(i1)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.cttz.i8(i8, i1)
declare i8 @llvm.umin.i8(i8, i8)
declare i8 @llvm.ushl.sat.i8(i8, i8)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare { i8, i1 } @llvm.sadd.with.overflow.i8(i8, i8)
declare i1 @llvm.expect.i1(i1, i1)
declare i8 @llvm.fptosi.sat.i8.f64(double)
declare i8 @llvm.bitreverse.i8(i8)
