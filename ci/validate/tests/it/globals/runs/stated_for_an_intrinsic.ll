; LLVM reads the attributes that an intrinsic has in place of those that its declaration states.
; judged stated_for_an_intrinsic: refuted
; judged kept_at_a_call_of_an_intrinsic: refines, all iterations

declare i32 @llvm.umax.i32(i32 noundef, i32)
define i32 @src_stated_for_an_intrinsic(i32 %a) {
  %r = call i32 @llvm.umax.i32(i32 %a, i32 3)
  ret i32 0
}
define i32 @tgt_stated_for_an_intrinsic(i32 %a) {
  %c = icmp eq i32 %a, 0
  br i1 %c, label %t, label %e
t:
  ret i32 0
e:
  ret i32 0
}
define i32 @src_kept_at_a_call_of_an_intrinsic(i32 %a) {
  %r = call i32 @llvm.umax.i32(i32 noundef %a, i32 3)
  ret i32 0
}
define i32 @tgt_kept_at_a_call_of_an_intrinsic(i32 %a) {
  %c = icmp eq i32 %a, 0
  br i1 %c, label %t, label %e
t:
  ret i32 0
e:
  ret i32 0
}
