; The target writes an alloca that an invariant load reads.
; judged invariance_of_an_alloca: if @tgt_invariance_of_an_alloca keeps !invariant.load

define i32 @src_invariance_of_an_alloca(i64 noundef %x) {
  %a = alloca i32
  %h = mul i64 %x, -7046029254386353131
  %c = icmp eq i64 %h, 81985529216486895
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %a, !invariant.load !0
  ret i32 7
e:
  store i16 0, ptr %a
  store i16 1, ptr %a
  %u = load i16, ptr %a
  ret i32 0
}
define i32 @tgt_invariance_of_an_alloca(i64 noundef %x) {
  %a = alloca i32
  %h = mul i64 %x, -7046029254386353131
  %c = icmp eq i64 %h, 81985529216486895
  br i1 %c, label %t, label %e
t:
  store i32 5, ptr %a
  %v = load i32, ptr %a, !invariant.load !0
  store i32 7, ptr %a
  %u = load i32, ptr %a
  ret i32 %u
e:
  ret i32 0
}
!0 = !{}
