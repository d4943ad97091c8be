; Cases across subjects, each with a turn that is easily got wrong.

@tab = constant [4 x i8] c"abcd"
@cell = global i64 0, align 8
@al = alias i8, ptr @cell
@big = global [3 x i8] [i8 1, i8 2, i8 undef]
@pz = global i16 poison

; @sel_poison_cond(poison) -> poison
define i8 @sel_poison_cond(i1 %c) {
  %r = select i1 %c, i8 3, i8 3
  ret i8 %r
}
; @sel_poison_in_and(poison) -> i1 false
define i1 @sel_poison_in_and(i1 %c) {
  %r = select i1 false, i1 %c, i1 false
  ret i1 %r
}
; @and_poison_false(poison) -> poison
define i1 @and_poison_false(i1 %c) {
  %r = and i1 %c, false
  ret i1 %r
}
; @mul_undef_zero() -> i8 0
define i8 @mul_undef_zero() {
  %r = mul i8 undef, 0
  ret i8 %r
}
; @shl_undef_amount(undef) -> poison
define i8 @shl_undef_amount(i8 %s) {
  %t = or i8 %s, 8
  %r = shl i8 1, %t
  ret i8 %r
}
; @srem_min(-128) -> ub division-overflow
define i8 @srem_min(i8 %x) {
  %r = srem i8 %x, -1
  ret i8 %r
}
; @srem_vec({-128, 1}) -> ub division-overflow
define <2 x i8> @srem_vec(<2 x i8> %x) {
  %r = srem <2 x i8> %x, <i8 -1, i8 1>
  ret <2 x i8> %r
}
; @udiv_undef(undef) -> ub division-by-zero
define i8 @udiv_undef(i8 %x) {
  %a = and i8 %x, 0
  %r = udiv i8 1, %a
  ret i8 %r
}
; @udiv_poison_num(poison) -> poison
define i8 @udiv_poison_num(i8 %x) {
  %r = udiv i8 %x, 3
  ret i8 %r
}
; @exact_lshr0(1) -> i8 1
define i8 @exact_lshr0(i8 %x) {
  %r = lshr exact i8 %x, 0
  ret i8 %r
}
; @shl_nsw_m1(-1) -> i8 -128
; @shl_nsw_m1(1) -> poison
define i8 @shl_nsw_m1(i8 %x) {
  %r = shl nsw i8 %x, 7
  ret i8 %r
}
; @shl_nuw_nsw_1(1) -> poison
define i8 @shl_nuw_nsw_1(i8 %x) {
  %r = shl nuw nsw i8 %x, 7
  ret i8 %r
}
; @trunc_both(255) -> poison
; @trunc_both(127) -> i8 127
; @trunc_both(-1) -> poison
define i8 @trunc_both(i16 %x) {
  %r = trunc nuw nsw i16 %x to i8
  ret i8 %r
}
; @trunc_i1_nsw(-1) -> i1 true
; @trunc_i1_nsw(1) -> poison
define i1 @trunc_i1_nsw(i8 %x) {
  %r = trunc nsw i8 %x to i1
  ret i1 %r
}
; @compare_with_null(zeros:1, null) -> i1 false
define i1 @compare_with_null(ptr %p, ptr %q) {
  %r = icmp eq ptr %p, %q
  ret i1 %r
}
; @switch_undef(undef) -> ub branch-on-undef
define i8 @switch_undef(i8 %x) {
  switch i8 %x, label %a [
    i8 0, label %a
  ]
a:
  ret i8 1
}
; @switch_decided(undef) -> ub branch-on-undef
define i8 @switch_decided(i8 %x) {
  %y = or i8 %x, 16
  switch i8 %y, label %a [
    i8 0, label %b
  ]
a:
  ret i8 1
b:
  ret i8 2
}
; @indirect_poison(poison) -> ub bad-callee
; @indirect_poison(null) -> ub bad-callee
; @indirect_poison(@cell) -> ub bad-callee
; @indirect_poison(@callee2) -> i8 4
; @indirect_poison(undef) -> ub bad-callee
define i8 @indirect_poison(ptr %f) {
  %r = call i8 %f(i8 4)
  ret i8 %r
}
define i8 @callee2(i8 %x) {
  ret i8 %x
}
; @too_few_args() -> unsupported a call with another type than its callee's
define i8 @too_few_args() {
  %r = call i8 @callee2()
  ret i8 %r
}
; @const_ce() -> i8 99
define i8 @const_ce() {
  %r = load i8, ptr getelementptr inbounds ([4 x i8], ptr @tab, i64 0, i64 2)
  ret i8 %r
}
; @ce_diff() -> i64 3
define i64 @ce_diff() {
  ret i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @tab, i64 3) to i64), i64 ptrtoint (ptr @tab to i64))
}
; @alias_store() -> i64 5
define i64 @alias_store() {
  store i64 5, ptr @al
  %r = load i64, ptr @cell
  ret i64 %r
}
; @glob_undef() -> undef
define i8 @glob_undef() {
  %r = load i8, ptr getelementptr (i8, ptr @big, i64 2)
  ret i8 %r
}
; @glob_poison() -> poison
define i8 @glob_poison() {
  %r = load i8, ptr getelementptr (i8, ptr @pz, i64 1)
  ret i8 %r
}
; @freeze_agg() -> { i8 0, i8 3 } | { i8 1, i8 3 }
define {i8, i8} @freeze_agg() {
  %a = insertvalue {i8, i8} poison, i8 3, 1
  %f = freeze {i8, i8} %a
  %x = extractvalue {i8, i8} %f, 0
  %y = and i8 %x, 1
  %g = insertvalue {i8, i8} %f, i8 %y, 0
  ret {i8, i8} %g
}
; @phi_poison_dead(1) -> i8 2
define i8 @phi_poison_dead(i1 %c) {
e:
  br i1 %c, label %a, label %b
a:
  br label %j
b:
  br label %j
j:
  %p = phi i8 [ 2, %a ], [ poison, %b ]
  ret i8 %p
}
; @memcpy_zero_null() -> void
define void @memcpy_zero_null() {
  call void @llvm.memcpy.p0.p0.i64(ptr null, ptr null, i64 0, i1 false)
  ret void
}
; @memcpy_one_past() -> ub out-of-bounds
define void @memcpy_one_past() {
  %a = alloca [4 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @tab, i64 5, i1 false)
  ret void
}
; @memcpy_poison_bytes(poison) -> poison
define i8 @memcpy_poison_bytes(i8 %x) {
  %a = alloca i8
  %b = alloca i8
  store i8 %x, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 1, i1 false)
  %r = load i8, ptr %b
  ret i8 %r
}
; @memcpy_ptr_bytes(zeros:4) -> i8 0
define i8 @memcpy_ptr_bytes(ptr %p) {
  %a = alloca ptr
  %b = alloca ptr
  store ptr %p, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)
  %q = load ptr, ptr %b
  %r = load i8, ptr %q
  ret i8 %r
}
; @memset_const() -> ub read-only-write
define void @memset_const() {
  call void @llvm.memset.p0.i64(ptr @tab, i8 0, i64 1, i1 false)
  ret void
}
; @memset_zero_const() -> void
define void @memset_zero_const() {
  call void @llvm.memset.p0.i64(ptr @tab, i8 0, i64 0, i1 false)
  ret void
}
; @gep_nuw_neg(zeros:8+4) -> poison
define ptr @gep_nuw_neg(ptr %p) {
  %r = getelementptr nuw i8, ptr %p, i64 -1
  ret ptr %r
}
; @gep_to_the_end_and_back() -> i1 true
define i1 @gep_to_the_end_and_back() {
  %p = alloca [4 x i8]
  %e = getelementptr inbounds i8, ptr %p, i64 4
  %f = getelementptr inbounds i8, ptr %e, i64 -4
  %c = icmp eq ptr %f, %p
  ret i1 %c
}
; @gep_inb_zero_null() -> i1 true
define i1 @gep_inb_zero_null() {
  %p = getelementptr inbounds i8, ptr null, i64 0
  %c = icmp eq ptr %p, null
  ret i1 %c
}
; @gep_inb_one_null() -> poison
define i1 @gep_inb_one_null() {
  %p = getelementptr inbounds i8, ptr null, i64 1
  %c = icmp eq ptr %p, null
  ret i1 %c
}
; @gep_struct_vec() -> i64 20
define i64 @gep_struct_vec() {
  %p = getelementptr {i8, [3 x {i16, i32}]}, ptr null, i64 0, i32 1, i64 2, i32 0
  %c = ptrtoint ptr %p to i64
  ret i64 %c
}
; @gep_idx_trunc() -> i64 0
define i64 @gep_idx_trunc() {
  %p = getelementptr i8, ptr null, i128 18446744073709551616
  %c = ptrtoint ptr %p to i64
  ret i64 %c
}
; @gep_idx_sext() -> i64 -1
define i64 @gep_idx_sext() {
  %p = getelementptr i8, ptr null, i8 255
  %c = ptrtoint ptr %p to i64
  ret i64 %c
}
; @i7_pad(zeros:1) -> i7 -1
define i7 @i7_pad(ptr %p) {
  store i7 -1, ptr %p
  %v = load i7, ptr %p
  ret i7 %v
}
; Bits beyond a narrow integer must be as a store of it leaves them.
; @i1_of_byte(bytes:02) -> poison
; @i1_of_byte(bytes:00) -> i1 false
; @i1_of_byte(bytes:[0000p001]) -> poison
; @i1_of_byte(bytes:01) -> i1 true
define i1 @i1_of_byte(ptr %p) {
  %v = load i1, ptr %p
  ret i1 %v
}
; @vec_i1_mem(zeros:1) -> i8 5
define i8 @vec_i1_mem(ptr %p) {
  store <8 x i1> <i1 1, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0>, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}
; @vec_poison_lane_mem(zeros:2) -> i8 7
define i8 @vec_poison_lane_mem(ptr %p) {
  store <2 x i8> <i8 poison, i8 7>, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %q
  ret i8 %v
}
; @vec_i4_poison_lane_mem(zeros:1) -> poison
define i8 @vec_i4_poison_lane_mem(ptr %p) {
  store <2 x i4> <i4 poison, i4 7>, ptr %p
  %v = load i8, ptr %p
  ret i8 %v
}
; @bitcast_poison_lane() -> { i8 7, poison }
define <2 x i8> @bitcast_poison_lane() {
  %v = bitcast <4 x i4> <i4 7, i4 0, i4 poison, i4 1> to <2 x i8>
  ret <2 x i8> %v
}
; @extract_oob(2) -> poison
; @extract_oob(undef) -> poison
define i8 @extract_oob(i8 %i) {
  %r = extractelement <2 x i8> <i8 1, i8 2>, i8 %i
  ret i8 %r
}
; @shuffle_poison_mask() -> { i8 1, poison }
define <2 x i8> @shuffle_poison_mask() {
  %r = shufflevector <2 x i8> <i8 1, i8 2>, <2 x i8> undef, <2 x i32> <i32 0, i32 poison>
  ret <2 x i8> %r
}
; @ctlz_poison_flag(0) -> poison
; @ctlz_poison_flag(1) -> i1 false
define i1 @ctlz_poison_flag(i1 %x) {
  %r = call i1 @llvm.ctlz.i1(i1 %x, i1 true)
  ret i1 %r
}
; @usub_overflow() -> { i8 -1, i1 true }
define {i8, i1} @usub_overflow() {
  %r = call {i8, i1} @llvm.usub.with.overflow.i8(i8 0, i8 1)
  ret {i8, i1} %r
}
; @fptoui_neg() -> poison
define i8 @fptoui_neg() {
  %r = fptoui float -1.0 to i8
  ret i8 %r
}
; @fptoui_neg_frac() -> i8 0
define i8 @fptoui_neg_frac() {
  %r = fptoui float -0.75 to i8
  ret i8 %r
}
; @fptosi_nan() -> poison
define i8 @fptosi_nan() {
  %r = fptosi double 0x7FF8000000000000 to i8
  ret i8 %r
}
; @uitofp_half() -> half 0x7c00
define half @uitofp_half() {
  %r = uitofp i32 100000 to half
  ret half %r
}
; @fsub_nsz() -> double 0.0 | double -0.0
define double @fsub_nsz() {
  %r = fsub nsz double 1.0, 1.0
  ret double %r
}
; @assume_undef(undef) -> ub assume-violated
define void @assume_undef(i1 %c) {
  call void @llvm.assume(i1 %c)
  ret void
}
; @assume_align_bundle(zeros:8+1) -> ub assume-violated
; @assume_align_bundle(zeros:8+4) -> void
define void @assume_align_bundle(ptr %p) {
  call void @llvm.assume(i1 true) ["align"(ptr %p, i64 4)]
  ret void
}
; @assume_deref_bundle(zeros:3) -> ub assume-violated
define void @assume_deref_bundle(ptr %p) {
  call void @llvm.assume(i1 true) ["dereferenceable"(ptr %p, i64 4)]
  ret void
}
; @byval_callee_writes() -> i8 1
define i8 @byval_callee_writes() {
  %p = alloca i8
  store i8 1, ptr %p
  call void @bv(ptr byval(i8) %p)
  %r = load i8, ptr %p
  ret i8 %r
}
define void @bv(ptr byval(i8) %p) {
  store i8 9, ptr %p
  ret void
}
; @byval_null() -> ub noundef-violated
define void @byval_null() {
  call void @bv(ptr byval(i8) null)
  ret void
}
; @sret_write() -> i32 77
define i32 @sret_write() {
  %p = alloca i32
  call void @sr(ptr sret(i32) %p)
  %r = load i32, ptr %p
  ret i32 %r
}
define void @sr(ptr noalias sret(i32) %p) {
  store i32 77, ptr %p
  ret void
}
; @rmw_ptr_align(zeros:8+1) -> ub misaligned
define i32 @rmw_ptr_align(ptr %p) {
  %r = atomicrmw add ptr %p, i32 1 seq_cst
  ret i32 %r
}
; @rmw_uinc(bytes:05000000) -> i32 0
; @rmw_uinc(bytes:04000000) -> i32 5
; @rmw_uinc(bytes:06000000) -> i32 0
define i32 @rmw_uinc(ptr %p) {
  %r = atomicrmw uinc_wrap ptr %p, i32 5 seq_cst
  %v = load i32, ptr %p
  ret i32 %v
}
; @rmw_udec(bytes:00000000) -> i32 5
; @rmw_udec(bytes:06000000) -> i32 5
; @rmw_udec(bytes:05000000) -> i32 4
define i32 @rmw_udec(ptr %p) {
  %r = atomicrmw udec_wrap ptr %p, i32 5 seq_cst
  %v = load i32, ptr %p
  ret i32 %v
}
; @rmw_usubcond(bytes:03000000) -> i32 3
; @rmw_usubcond(bytes:06000000) -> i32 1
define i32 @rmw_usubcond(ptr %p) {
  %r = atomicrmw usub_cond ptr %p, i32 5 seq_cst
  %v = load i32, ptr %p
  ret i32 %v
}
; A weak exchange may fail although the values are equal.
; @cmpxchg_weak(bytes:04000000) -> { i32 4, i1 false }
; @cmpxchg_weak(bytes:03000000) -> { i32 3, i1 false } | { i32 3, i1 true }
define {i32, i1} @cmpxchg_weak(ptr %p) {
  %r = cmpxchg weak ptr %p, i32 3, i32 4 seq_cst seq_cst
  ret {i32, i1} %r
}
; @cmpxchg_undef(uninit:4) -> ub branch-on-undef
define i8 @cmpxchg_undef(ptr %p) {
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, %v
  br i1 %c, label %a, label %a
a:
  ret i8 1
}
; @uninit_twice() -> i1 false | i1 true
define i1 @uninit_twice() {
  %p = alloca i8
  %v = load i8, ptr %p
  %f = freeze i8 %v
  %w = load i8, ptr %p
  %g = freeze i8 %w
  %c = icmp eq i8 %f, %g
  ret i1 %c
}
; @lifetime_end_then_ptr() -> i1 true
define i1 @lifetime_end_then_ptr() {
  %p = alloca i8
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @llvm.lifetime.end.p0(ptr %p)
  %c = icmp eq ptr %p, %p
  ret i1 %c
}
; @stacksave() -> ub use-after-free
define i8 @stacksave() {
  %s = call ptr @llvm.stacksave.p0()
  %p = alloca i8
  store i8 1, ptr %p
  call void @llvm.stackrestore.p0(ptr %s)
  %v = load i8, ptr %p
  ret i8 %v
}
; @range_md_poison(bytes:07) -> i8 1
define i8 @range_md_poison(ptr %p) {
  %v = load i8, ptr %p, !range !0
  ret i8 1
}
; @range_md_noundef(bytes:07) -> ub noundef-violated
define i8 @range_md_noundef(ptr %p) {
  %v = load i8, ptr %p, !range !0, !noundef !1
  ret i8 1
}
; @ret_nonnull_noundef() -> ub noundef-violated
define nonnull noundef ptr @ret_nonnull_noundef() {
  ret ptr null
}
; @ret_align_bad(zeros:8+1) -> poison
define align 4 ptr @ret_align_bad(ptr %p) {
  ret ptr %p
}
; @call_ret_range() -> poison
define i8 @call_ret_range() {
  %r = call range(i8 0, 3) i8 @callee2(i8 7)
  ret i8 %r
}
; @nofpclass_ret() -> poison
define nofpclass(nan) float @nofpclass_ret() {
  ret float 0x7FF8000000000000
}
; @nofpclass_arg(1.5) -> poison
; @nofpclass_arg(-1.5) -> float -1.5
define float @nofpclass_arg(float nofpclass(pnorm) %x) {
  ret float %x
}
; @musttail_rec(3) -> i8 0
define i8 @musttail_rec(i8 %n) {
  %c = icmp eq i8 %n, 0
  br i1 %c, label %z, label %r
z:
  ret i8 0
r:
  %m = sub i8 %n, 1
  %x = musttail call i8 @musttail_rec(i8 %m)
  ret i8 %x
}
; @rec_forever() -> limit-exceeded
define void @rec_forever() {
  call void @rec_forever()
  ret void
}
; @fshl_modulo(9) -> i8 3
define i8 @fshl_modulo(i8 %n) {
  %r = call i8 @llvm.fshl.i8(i8 1, i8 128, i8 %n)
  ret i8 %r
}
; @sadd_sat_min() -> i8 -128
define i8 @sadd_sat_min() {
  %r = call i8 @llvm.sadd.sat.i8(i8 -100, i8 -100)
  ret i8 %r
}
; @three_way() -> i8 -1
define i8 @three_way() {
  %r = call i8 @llvm.scmp.i8.i32(i32 -1, i32 1)
  ret i8 %r
}
; @ptrmask(zeros:8+3) -> i8 0
define i8 @ptrmask(ptr %p) {
  %q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -4)
  %v = load i8, ptr %q
  ret i8 %v
}
; @inttoptr_exposed() -> i8 5
define i8 @inttoptr_exposed() {
  %p = alloca [2 x i8]
  %e = getelementptr i8, ptr %p, i64 1
  store i8 5, ptr %e
  %i = ptrtoint ptr %p to i64
  %j = add i64 %i, 1
  %q = inttoptr i64 %j to ptr
  %v = load i8, ptr %q
  ret i8 %v
}
; @two_objects_differ() -> i1 false
define i1 @two_objects_differ() {
  %c = icmp eq ptr @tab, @cell
  ret i1 %c
}
; @gep_nusw_scale_overflows() -> poison
define ptr @gep_nusw_scale_overflows() {
  %p = alloca [4 x i64]
  %q = getelementptr nusw i64, ptr %p, i64 4611686018427387904
  ret ptr %q
}
; @undef_xor() -> undef
define i8 @undef_xor() {
  %r = xor i8 undef, undef
  ret i8 %r
}
; @overflow_i1_mul() -> poison
define i1 @overflow_i1_mul() {
  %r = mul nsw i1 true, true
  ret i1 %r
}
; @sdiv_i1() -> ub division-overflow
define i1 @sdiv_i1() {
  %r = sdiv i1 true, true
  ret i1 %r
}
; @abs_of_negative() -> i8 5
define i8 @abs_of_negative() {
  %r = call i8 @llvm.abs.i8(i8 -5, i1 false)
  ret i8 %r
}
; @nonnull_md() -> poison
define ptr @nonnull_md() {
  %a = alloca ptr
  store ptr null, ptr %a
  %v = load ptr, ptr %a, !nonnull !1
  ret ptr %v
}
; @align_md(zeros:8+1) -> poison
define ptr @align_md(ptr %p) {
  %a = alloca ptr
  store ptr %p, ptr %a
  %v = load ptr, ptr %a, !align !2
  ret ptr %v
}
; Breaking dereferenceable is undefined without noundef too.
; @dereferenceable_md(zeros:1) -> ub noundef-violated
define i8 @dereferenceable_md(ptr %p) {
  %a = alloca ptr
  store ptr %p, ptr %a
  %v = load ptr, ptr %a, !dereferenceable !2
  ret i8 1
}
; @fresh_memory() -> i8 3
define i8 @fresh_memory() {
  %m = call noalias ptr @malloc(i64 4)
  %n = icmp eq ptr %m, null
  br i1 %n, label %z, label %g
z:
  ret i8 3
g:
  store i8 3, ptr %m
  %v = load i8, ptr %m
  ret i8 %v
}
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) nounwind willreturn
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i1 @llvm.ctlz.i1(i1, i1)
declare {i8, i1} @llvm.usub.with.overflow.i8(i8, i8)
declare void @llvm.assume(i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i8 @llvm.abs.i8(i8, i1)
!0 = !{i8 0, i8 5}
!1 = !{}
!2 = !{i64 4}
