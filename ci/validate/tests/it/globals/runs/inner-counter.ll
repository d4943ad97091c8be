; The counter of the inner loop in place of that of the outer one.
; judged inner_counter: if memory that @tgt_inner_counter writes

define i8 @src_inner_counter(ptr noundef noalias dereferenceable(4) %p, ptr noundef dereferenceable(1) %q) {
entry:
  %o = load i32, ptr %p, align 1, !noundef !0
  br label %outer
outer:
  %i = phi i64 [0, %entry], [%i1, %latch]
  %pi = getelementptr [2 x i8], ptr %p, i64 %i
  br label %inner
inner:
  %j = phi i64 [0, %outer], [%j1, %inner]
  %a = getelementptr i8, ptr %pi, i64 %i
  %l = load i8, ptr %a, align 1
  store i8 %l, ptr %a, align 1
  %j1 = add i64 %j, 1
  %cj = icmp ult i64 %j1, 2
  br i1 %cj, label %inner, label %latch
latch:
  %i1 = add i64 %i, 1
  %ci = icmp ult i64 %i1, 2
  br i1 %ci, label %outer, label %exit
exit:
  %v = load i8, ptr %q, align 1, !noundef !0
  ret i8 %v
}
define i8 @tgt_inner_counter(ptr noundef noalias dereferenceable(4) %p, ptr noundef dereferenceable(1) %q) {
entry:
  %o = load i32, ptr %p, align 1, !noundef !0
  br label %outer
outer:
  %i = phi i64 [0, %entry], [%i1, %latch]
  %pi = getelementptr [2 x i8], ptr %p, i64 %i
  br label %inner
inner:
  %j = phi i64 [0, %outer], [%j1, %inner]
  %a = getelementptr i8, ptr %pi, i64 %j
  %l = load i8, ptr %a, align 1
  store i8 %l, ptr %a, align 1
  %j1 = add i64 %j, 1
  %cj = icmp ult i64 %j1, 2
  br i1 %cj, label %inner, label %latch
latch:
  %i1 = add i64 %i, 1
  %ci = icmp ult i64 %i1, 2
  br i1 %ci, label %outer, label %exit
exit:
  %v = load i8, ptr %q, align 1, !noundef !0
  ret i8 %v
}
!0 = !{}
