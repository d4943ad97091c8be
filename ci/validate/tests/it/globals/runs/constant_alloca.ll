; The target writes an alloca whose tag says that it is constant.
; judged constant_alloca: if @tgt_constant_alloca keeps !tbaa

define i32 @src_constant_alloca(i64 noundef %x) {
  %a = alloca i32
  %h = mul i64 %x, -7046029254386353131
  %c = icmp eq i64 %h, 81985529216486895
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %a, !tbaa !1
  ret i32 7
e:
  store i16 0, ptr %a
  store i16 1, ptr %a
  %u = load i16, ptr %a
  ret i32 0
}
define i32 @tgt_constant_alloca(i64 noundef %x) {
  %a = alloca i32
  %h = mul i64 %x, -7046029254386353131
  %c = icmp eq i64 %h, 81985529216486895
  br i1 %c, label %t, label %e
t:
  store i32 5, ptr %a
  %v = load i32, ptr %a, !tbaa !1
  store i32 7, ptr %a
  %u = load i32, ptr %a
  ret i32 %u
e:
  ret i32 0
}
!0 = !{!"root"}
!1 = !{!3, !3, i64 0, i64 1}
!3 = !{!"int", !0, i64 0}
