; Masks as integers, reductions under their old names, classes of floats, swapped operands: each target differs somewhere.

declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>)
declare i32 @llvm.experimental.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>)
declare i1 @llvm.is.fpclass.f32(float, i32 immarg)

define i4 @src_reversed(<4 x i1> %v) {
  %r = bitcast <4 x i1> %v to i4
  ret i4 %r
}

define i4 @tgt_reversed(<4 x i1> %v) {
  %s = shufflevector <4 x i1> %v, <4 x i1> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %r = bitcast <4 x i1> %s to i4
  ret i4 %r
}

define i4 @src_reversed_guarded(i64 noundef %k, <4 x i1> %v) {
  %r = bitcast <4 x i1> %v to i4
  ret i4 %r
}

define i4 @tgt_reversed_guarded(i64 noundef %k, <4 x i1> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %s = shufflevector <4 x i1> %v, <4 x i1> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %r = bitcast <4 x i1> %s to i4
  ret i4 %r

out:
  %r_s = bitcast <4 x i1> %v to i4
  ret i4 %r_s
}

define i1 @src_all_lanes(<8 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v)
  ret i1 %r
}

define i1 @tgt_all_lanes(<8 x i1> %v) {
  %b = bitcast <8 x i1> %v to i8
  %r = icmp ne i8 %b, 0
  ret i1 %r
}

define i1 @src_all_lanes_guarded(i64 noundef %k, <8 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v)
  ret i1 %r
}

define i1 @tgt_all_lanes_guarded(i64 noundef %k, <8 x i1> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %b = bitcast <8 x i1> %v to i8
  %r = icmp ne i8 %b, 0
  ret i1 %r

out:
  %r_s = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %v)
  ret i1 %r_s
}

define i1 @src_unfrozen(<4 x i1> %v) {
  %b = freeze <4 x i1> %v
  %a = bitcast <4 x i1> %b to i4
  %r = icmp eq i4 %a, -1
  ret i1 %r
}

define i1 @tgt_unfrozen(<4 x i1> %v) {
  %a = bitcast <4 x i1> %v to i4
  %r = icmp eq i4 %a, -1
  ret i1 %r
}

define i1 @src_unfrozen_guarded(i64 noundef %k, <4 x i1> %v) {
  %b = freeze <4 x i1> %v
  %a = bitcast <4 x i1> %b to i4
  %r = icmp eq i4 %a, -1
  ret i1 %r
}

define i1 @tgt_unfrozen_guarded(i64 noundef %k, <4 x i1> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %a = bitcast <4 x i1> %v to i4
  %r = icmp eq i4 %a, -1
  ret i1 %r

out:
  %b_s = freeze <4 x i1> %v
  %a_s = bitcast <4 x i1> %b_s to i4
  %r_s = icmp eq i4 %a_s, -1
  ret i1 %r_s
}

define i32 @src_old_sum(<4 x i32> %v) {
  %r = call i32 @llvm.experimental.vector.reduce.add.v4i32(<4 x i32> %v)
  ret i32 %r
}

define i32 @tgt_old_sum(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %v)
  ret i32 %r
}

define i32 @src_old_sum_guarded(i64 noundef %k, <4 x i32> %v) {
  %r = call i32 @llvm.experimental.vector.reduce.add.v4i32(<4 x i32> %v)
  ret i32 %r
}

define i32 @tgt_old_sum_guarded(i64 noundef %k, <4 x i32> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %r = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %v)
  ret i32 %r

out:
  %r_s = call i32 @llvm.experimental.vector.reduce.add.v4i32(<4 x i32> %v)
  ret i32 %r_s
}

define i1 @src_zero(float %x) {
  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 64)
  ret i1 %r
}

define i1 @tgt_zero(float %x) {
  %r = fcmp oeq float %x, 0.0
  ret i1 %r
}

define i1 @src_zero_guarded(i64 noundef %k, float %x) {
  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 64)
  ret i1 %r
}

define i1 @tgt_zero_guarded(i64 noundef %k, float %x) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %r = fcmp oeq float %x, 0.0
  ret i1 %r

out:
  %r_s = call i1 @llvm.is.fpclass.f32(float %x, i32 64)
  ret i1 %r_s
}

define float @src_difference(float %x, float %y) {
  %r = fsub float %x, %y
  ret float %r
}

define float @tgt_difference(float %x, float %y) {
  %r = fsub float %y, %x
  ret float %r
}

define float @src_difference_guarded(i64 noundef %k, float %x, float %y) {
  %r = fsub float %x, %y
  ret float %r
}

define float @tgt_difference_guarded(i64 noundef %k, float %x, float %y) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %r = fsub float %y, %x
  ret float %r

out:
  %r_s = fsub float %x, %y
  ret float %r_s
}

define i1 @src_less(float %x, float %y) {
  %r = fcmp olt float %x, %y
  ret i1 %r
}

define i1 @tgt_less(float %x, float %y) {
  %r = fcmp oge float %y, %x
  ret i1 %r
}

define i1 @src_less_guarded(i64 noundef %k, float %x, float %y) {
  %r = fcmp olt float %x, %y
  ret i1 %r
}

define i1 @tgt_less_guarded(i64 noundef %k, float %x, float %y) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %r = fcmp oge float %y, %x
  ret i1 %r

out:
  %r_s = fcmp olt float %x, %y
  ret i1 %r_s
}
