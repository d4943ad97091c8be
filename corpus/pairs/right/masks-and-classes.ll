; Masks as integers, reductions under their old names, classes of floats, swapped operands; runs do not pass the guards.

declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>)
declare i32 @llvm.experimental.vector.reduce.umax.v2i32(<2 x i32>)
declare i1 @llvm.experimental.vector.reduce.or.v4i1(<4 x i1>)
declare i1 @llvm.is.fpclass.f32(float, i32 immarg)
declare i1 @llvm.is.fpclass.f64(double, i32 immarg)
declare double @llvm.fabs.f64(double)

define i4 @src_gathered(<4 x i1> %v) {
  %r = bitcast <4 x i1> %v to i4
  ret i4 %r
}

define i4 @tgt_gathered(<4 x i1> %v) {
  %a = extractelement <4 x i1> %v, i32 0
  %b = extractelement <4 x i1> %v, i32 1
  %c = extractelement <4 x i1> %v, i32 2
  %d = extractelement <4 x i1> %v, i32 3
  %az = zext i1 %a to i4
  %bz = zext i1 %b to i4
  %cz = zext i1 %c to i4
  %dz = zext i1 %d to i4
  %bs = shl i4 %bz, 1
  %cs = shl i4 %cz, 2
  %ds = shl i4 %dz, 3
  %o1 = or i4 %az, %bs
  %o2 = or i4 %o1, %cs
  %r = or i4 %o2, %ds
  ret i4 %r
}

define i4 @src_gathered_guarded(i64 noundef %k, <4 x i1> %v) {
  %r = bitcast <4 x i1> %v to i4
  ret i4 %r
}

define i4 @tgt_gathered_guarded(i64 noundef %k, <4 x i1> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %a = extractelement <4 x i1> %v, i32 0
  %b = extractelement <4 x i1> %v, i32 1
  %c = extractelement <4 x i1> %v, i32 2
  %d = extractelement <4 x i1> %v, i32 3
  %az = zext i1 %a to i4
  %bz = zext i1 %b to i4
  %cz = zext i1 %c to i4
  %dz = zext i1 %d to i4
  %bs = shl i4 %bz, 1
  %cs = shl i4 %cz, 2
  %ds = shl i4 %dz, 3
  %o1 = or i4 %az, %bs
  %o2 = or i4 %o1, %cs
  %r = or i4 %o2, %ds
  ret i4 %r

out:
  %r_s = bitcast <4 x i1> %v to i4
  ret i4 %r_s
}

define i1 @src_any_lane(<8 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %v)
  ret i1 %r
}

define i1 @tgt_any_lane(<8 x i1> %v) {
  %b = bitcast <8 x i1> %v to i8
  %r = icmp ne i8 %b, 0
  ret i1 %r
}

define i1 @src_any_lane_guarded(i64 noundef %k, <8 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %v)
  ret i1 %r
}

define i1 @tgt_any_lane_guarded(i64 noundef %k, <8 x i1> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %b = bitcast <8 x i1> %v to i8
  %r = icmp ne i8 %b, 0
  ret i1 %r

out:
  %r_s = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %v)
  ret i1 %r_s
}

define i1 @src_any_negative(<4 x i32> %v) {
  %c = icmp slt <4 x i32> %v, zeroinitializer
  %b = bitcast <4 x i1> %c to i4
  %r = icmp ne i4 %b, 0
  ret i1 %r
}

define i1 @tgt_any_negative(<4 x i32> %v) {
  %c = icmp slt <4 x i32> %v, zeroinitializer
  %b = bitcast <4 x i1> %c to i4
  %d = icmp eq i4 %b, 0
  %r = xor i1 %d, true
  ret i1 %r
}

define i1 @src_any_negative_guarded(i64 noundef %k, <4 x i32> %v) {
  %c = icmp slt <4 x i32> %v, zeroinitializer
  %b = bitcast <4 x i1> %c to i4
  %r = icmp ne i4 %b, 0
  ret i1 %r
}

define i1 @tgt_any_negative_guarded(i64 noundef %k, <4 x i32> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %c = icmp slt <4 x i32> %v, zeroinitializer
  %b = bitcast <4 x i1> %c to i4
  %d = icmp eq i4 %b, 0
  %r = xor i1 %d, true
  ret i1 %r

out:
  %c_s = icmp slt <4 x i32> %v, zeroinitializer
  %b_s = bitcast <4 x i1> %c_s to i4
  %r_s = icmp ne i4 %b_s, 0
  ret i1 %r_s
}

define i32 @src_old_umax(<2 x i32> noundef %v) {
  %r = call i32 @llvm.experimental.vector.reduce.umax.v2i32(<2 x i32> %v)
  ret i32 %r
}

define i32 @tgt_old_umax(<2 x i32> noundef %v) {
  %a = extractelement <2 x i32> %v, i32 0
  %b = extractelement <2 x i32> %v, i32 1
  %c = icmp ugt i32 %a, %b
  %r = select i1 %c, i32 %a, i32 %b
  ret i32 %r
}

define i32 @src_old_umax_guarded(i64 noundef %k, <2 x i32> noundef %v) {
  %r = call i32 @llvm.experimental.vector.reduce.umax.v2i32(<2 x i32> %v)
  ret i32 %r
}

define i32 @tgt_old_umax_guarded(i64 noundef %k, <2 x i32> noundef %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %a = extractelement <2 x i32> %v, i32 0
  %b = extractelement <2 x i32> %v, i32 1
  %c = icmp ugt i32 %a, %b
  %r = select i1 %c, i32 %a, i32 %b
  ret i32 %r

out:
  %r_s = call i32 @llvm.experimental.vector.reduce.umax.v2i32(<2 x i32> %v)
  ret i32 %r_s
}

define i1 @src_old_or(<4 x i1> %v) {
  %r = call i1 @llvm.experimental.vector.reduce.or.v4i1(<4 x i1> %v)
  ret i1 %r
}

define i1 @tgt_old_or(<4 x i1> %v) {
  %b = bitcast <4 x i1> %v to i4
  %r = icmp ne i4 %b, 0
  ret i1 %r
}

define i1 @src_old_or_guarded(i64 noundef %k, <4 x i1> %v) {
  %r = call i1 @llvm.experimental.vector.reduce.or.v4i1(<4 x i1> %v)
  ret i1 %r
}

define i1 @tgt_old_or_guarded(i64 noundef %k, <4 x i1> %v) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %b = bitcast <4 x i1> %v to i4
  %r = icmp ne i4 %b, 0
  ret i1 %r

out:
  %r_s = call i1 @llvm.experimental.vector.reduce.or.v4i1(<4 x i1> %v)
  ret i1 %r_s
}

define i1 @src_nan(float %x) {
  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 3)
  ret i1 %r
}

define i1 @tgt_nan(float %x) {
  %r = fcmp uno float %x, 0.0
  ret i1 %r
}

define i1 @src_nan_guarded(i64 noundef %k, float %x) {
  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 3)
  ret i1 %r
}

define i1 @tgt_nan_guarded(i64 noundef %k, float %x) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %r = fcmp uno float %x, 0.0
  ret i1 %r

out:
  %r_s = call i1 @llvm.is.fpclass.f32(float %x, i32 3)
  ret i1 %r_s
}

define i1 @src_infinite(double %x) {
  %r = call i1 @llvm.is.fpclass.f64(double %x, i32 516)
  ret i1 %r
}

define i1 @tgt_infinite(double %x) {
  %a = call double @llvm.fabs.f64(double %x)
  %r = fcmp oeq double %a, 0x7FF0000000000000
  ret i1 %r
}

define i1 @src_infinite_guarded(i64 noundef %k, double %x) {
  %r = call i1 @llvm.is.fpclass.f64(double %x, i32 516)
  ret i1 %r
}

define i1 @tgt_infinite_guarded(i64 noundef %k, double %x) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %a = call double @llvm.fabs.f64(double %x)
  %r = fcmp oeq double %a, 0x7FF0000000000000
  ret i1 %r

out:
  %r_s = call i1 @llvm.is.fpclass.f64(double %x, i32 516)
  ret i1 %r_s
}

define float @src_sum(float %x, float %y) {
  %r = fadd float %x, %y
  ret float %r
}

define float @tgt_sum(float %x, float %y) {
  %r = fadd float %y, %x
  ret float %r
}

define float @src_sum_guarded(i64 noundef %k, float %x, float %y) {
  %r = fadd float %x, %y
  ret float %r
}

define float @tgt_sum_guarded(i64 noundef %k, float %x, float %y) {
  %kx = xor i64 %k, 81985529216486895
  %kc = icmp eq i64 %kx, 1234567890123
  br i1 %kc, label %in, label %out

in:
  %r = fadd float %y, %x
  ret float %r

out:
  %r_s = fadd float %x, %y
  ret float %r_s
}

define i1 @src_less(float %x, float %y) {
  %r = fcmp olt float %x, %y
  ret i1 %r
}

define i1 @tgt_less(float %x, float %y) {
  %r = fcmp ogt float %y, %x
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
  %r = fcmp ogt float %y, %x
  ret i1 %r

out:
  %r_s = fcmp olt float %x, %y
  ret i1 %r_s
}
