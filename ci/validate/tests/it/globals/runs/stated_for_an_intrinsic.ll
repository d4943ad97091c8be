; By LangRef, attributes on the declaration of an intrinsic hold at each call. LLVM replaces them by the intrinsic's own.
; judged stated_for_a_parameter: depends on `noundef` of @llvm.umax.i32
; judged stated_for_the_result: depends on `range` of @llvm.umin.i32
; judged stated_and_not_needed: refines, all iterations
; judged stated_at_the_call: refines, all iterations
; judged own: refines, all iterations
; judged own_of_the_result: refines, all iterations
; judged wrong_in_both_readings: refuted

declare i32 @llvm.umax.i32(i32 noundef, i32)
declare range(i32 0, 8) i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare void @llvm.assume(i1 noundef)
declare range(i8 -1, 2) i8 @llvm.ucmp.i8.i32(i32, i32)

define i32 @src_stated_for_a_parameter(i32 %a) {
  %r = call i32 @llvm.umax.i32(i32 %a, i32 3)
  ret i32 0
}
define i32 @tgt_stated_for_a_parameter(i32 %a) {
  %c = icmp eq i32 %a, 0
  br i1 %c, label %t, label %e
t:
  ret i32 0
e:
  ret i32 0
}
define i32 @src_stated_for_the_result(i32 %a, i32 %b) {
  %r = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %m = and i32 %r, 15
  ret i32 %m
}
define i32 @tgt_stated_for_the_result(i32 %a, i32 %b) {
  %r = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %m = and i32 %r, 7
  ret i32 %m
}
define i32 @src_stated_and_not_needed(i32 noundef %a) {
  %r = call i32 @llvm.umax.i32(i32 %a, i32 3)
  %s = add i32 %r, 0
  ret i32 %s
}
define i32 @tgt_stated_and_not_needed(i32 noundef %a) {
  %r = call i32 @llvm.umax.i32(i32 %a, i32 3)
  ret i32 %r
}
define i32 @src_stated_at_the_call(i32 %a) {
  %r = call i32 @llvm.smax.i32(i32 noundef %a, i32 3)
  ret i32 0
}
define i32 @tgt_stated_at_the_call(i32 %a) {
  %c = icmp eq i32 %a, 0
  br i1 %c, label %t, label %e
t:
  ret i32 0
e:
  ret i32 0
}
define i32 @src_own(i32 %a) {
  %c = icmp eq i32 %a, 0
  call void @llvm.assume(i1 %c)
  ret i32 0
}
define i32 @tgt_own(i32 %a) {
  %c = icmp eq i32 %a, 0
  br i1 %c, label %t, label %e
t:
  ret i32 0
e:
  ret i32 0
}
define i1 @src_own_of_the_result(i32 %a, i32 %b) {
  %r = call i8 @llvm.ucmp.i8.i32(i32 %a, i32 %b)
  %c = icmp slt i8 %r, 2
  ret i1 %c
}
define i1 @tgt_own_of_the_result(i32 %a, i32 %b) {
  ret i1 true
}
define i32 @src_wrong_in_both_readings(i32 %a, i32 %b) {
  %r = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %m = and i32 %r, 15
  ret i32 %m
}
define i32 @tgt_wrong_in_both_readings(i32 %a, i32 %b) {
  %r = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %m = and i32 %r, 3
  ret i32 %m
}
