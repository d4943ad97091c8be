; Casts and comparisons with their flags, selects and their arms.

; @trunc_nuw(255) -> i8 -1
; @trunc_nuw(256) -> poison
; @trunc_nuw(undef) -> poison
define i8 @trunc_nuw(i16 %x) {
  %r = trunc nuw i16 %x to i8
  ret i8 %r
}
; @trunc_nsw(-128) -> i8 -128
; @trunc_nsw(128) -> poison
define i8 @trunc_nsw(i16 %x) {
  %r = trunc nsw i16 %x to i8
  ret i8 %r
}
; @trunc_plain(undef) -> undef
; @trunc_plain(poison) -> poison
define i8 @trunc_plain(i16 %x) {
  %r = trunc i16 %x to i8
  ret i8 %r
}
; @zext_nneg(127) -> i16 127
; @zext_nneg(-1) -> poison
; @zext_nneg(undef) -> poison
define i16 @zext_nneg(i8 %x) {
  %r = zext nneg i8 %x to i16
  ret i16 %r
}
; The upper bits of an undef that was extended are zeros.
; @zext_undef(undef) -> i16 0b00000000????????
define i16 @zext_undef(i8 %x) {
  %r = zext i8 %x to i16
  ret i16 %r
}
; @zext_undef_fits(undef) -> i1 true
define i1 @zext_undef_fits(i8 %x) {
  %w = zext i8 %x to i16
  %r = icmp ult i16 %w, 256
  ret i1 %r
}
; Copies of the sign are equal.
; @sext_undef(undef) -> i16 0b00000000000000?? | i16 0b11111111111111??
define i16 @sext_undef(i3 %x) {
  %r = sext i3 %x to i16
  ret i16 %r
}
; @uitofp_nneg(-1) -> poison
; @uitofp_nneg(3) -> float 3.0
define float @uitofp_nneg(i8 %x) {
  %r = uitofp nneg i8 %x to float
  ret float %r
}
; @fptosi_fits(127.9) -> i8 127
; @fptosi_fits(128.0) -> poison
; @fptosi_fits(-128.9) -> i8 -128
; @fptosi_fits(nan) -> poison
; @fptosi_fits(inf) -> poison
define i8 @fptosi_fits(double %x) {
  %r = fptosi double %x to i8
  ret i8 %r
}
; One bit has the numbers 0 and -1.
; @fptosi_one_bit(bits:0x0000) -> i1 false
; @fptosi_one_bit(bits:0xb800) -> i1 false
; @fptosi_one_bit(bits:0xbc00) -> i1 true
; @fptosi_one_bit(bits:0xbe00) -> i1 true
; @fptosi_one_bit(bits:0xc000) -> poison
; @fptosi_one_bit(bits:0x3c00) -> poison
define i1 @fptosi_one_bit(half %x) {
  %r = fptosi half %x to i1
  ret i1 %r
}
; @fptosi_sat_one_bit(bits:0x3c00) -> i1 false
; @fptosi_sat_one_bit(bits:0xc500) -> i1 true
define i1 @fptosi_sat_one_bit(half %x) {
  %r = call i1 @llvm.fptosi.sat.i1.f16(half %x)
  ret i1 %r
}
declare i1 @llvm.fptosi.sat.i1.f16(half)
; @fptoui_fits(-0.9) -> i8 0
; @fptoui_fits(-1.0) -> poison
; @fptoui_fits(255.5) -> i8 -1
; @fptoui_fits(256.0) -> poison
define i8 @fptoui_fits(double %x) {
  %r = fptoui double %x to i8
  ret i8 %r
}
; @bitcast_poison(poison) -> poison
define float @bitcast_poison(i32 %x) {
  %r = bitcast i32 %x to float
  ret float %r
}
; @icmp_samesign(1, 2) -> i1 true
; @icmp_samesign(-1, -2) -> i1 false
; @icmp_samesign(-1, 2) -> poison
; @icmp_samesign(undef, 2) -> poison
define i1 @icmp_samesign(i8 %x, i8 %y) {
  %r = icmp samesign ult i8 %x, %y
  ret i1 %r
}
; @icmp_poison(poison) -> poison
define i1 @icmp_poison(i8 %x) {
  %r = icmp uge i8 %x, 0
  ret i1 %r
}
; Decided whatever the undef is.
; @icmp_decided(undef) -> i1 true
define i1 @icmp_decided(i8 %x) {
  %r = icmp uge i8 %x, 0
  ret i1 %r
}
; @icmp_open(undef) -> undef
define i1 @icmp_open(i8 %x) {
  %r = icmp eq i8 %x, 3
  ret i1 %r
}
; Low bits that are known decide an equality.
; @icmp_low_bits(undef) -> i1 false
define i1 @icmp_low_bits(i8 %x) {
  %even = shl i8 %x, 1
  %r = icmp eq i8 %even, 3
  ret i1 %r
}
; @select_unchosen(1) -> i8 5
; @select_unchosen(0) -> poison
; @select_unchosen(poison) -> poison
define i8 @select_unchosen(i1 %c) {
  %r = select i1 %c, i8 5, i8 poison
  ret i8 %r
}
; With equal arms the condition's poison still counts; its being undef does not.
; @select_equal(poison) -> poison
; @select_equal(undef) -> i8 5
define i8 @select_equal(i1 %c) {
  %r = select i1 %c, i8 5, i8 5
  ret i8 %r
}
; @select_undef(undef) -> i8 3 | i8 12
define i8 @select_undef(i1 %c) {
  %r = select i1 %c, i8 12, i8 3
  ret i8 %r
}
; Either arm, so poison too.
; @select_undef_poison(undef) -> poison
define i8 @select_undef_poison(i1 %c) {
  %r = select i1 %c, i8 12, i8 poison
  ret i8 %r
}
; Arithmetic in place of a select lets the poison of the other arm through.
; @select_as_and(0) -> poison
define i1 @select_as_and(i1 %c) {
  %p = add nuw i1 true, true
  %r = and i1 %c, %p
  ret i1 %r
}
; @logical_and(0) -> i1 false
; @logical_and(1) -> poison
define i1 @logical_and(i1 %c) {
  %p = add nuw i1 true, true
  %r = select i1 %c, i1 %p, i1 false
  ret i1 %r
}
; @phi_arm(0) -> i8 1
; @phi_arm(1) -> poison
define i8 @phi_arm(i1 %c) {
entry:
  %p = add nuw i8 255, 1
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %r = phi i8 [ 1, %entry ], [ %p, %a ]
  ret i8 %r
}
; An aggregate has no poison of its own: its members have.
; @members(poison) -> { poison, i8 2 }
define { i8, i8 } @members(i8 %x) {
  %a = insertvalue { i8, i8 } poison, i8 %x, 0
  %b = insertvalue { i8, i8 } %a, i8 2, 1
  ret { i8, i8 } %b
}
; @member_beside_poison(poison) -> i8 2
define i8 @member_beside_poison(i8 %x) {
  %a = insertvalue { i8, i8 } { i8 1, i8 2 }, i8 %x, 0
  %r = extractvalue { i8, i8 } %a, 1
  ret i8 %r
}
