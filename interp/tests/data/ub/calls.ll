; Calls of functions outside the module: whether they come back, what they may return and write.

; @may_not_return(1) -> exited | threw | looped | i8 1
define i8 @may_not_return(i8 %x) {
  call void @outside()
  ret i8 %x
}
; UB behind a call that may stay comes only if it returns.
; @division_behind_call(0) -> exited | threw | looped | ub division-by-zero
define i8 @division_behind_call(i8 %d) {
  call void @outside()
  %r = udiv i8 1, %d
  ret i8 %r
}
; @returns_for_sure(0) -> ub division-by-zero
define i8 @returns_for_sure(i8 %d) {
  call void @quiet()
  %r = udiv i8 1, %d
  ret i8 %r
}
; @result() -> i1 false | i1 true
define i1 @result() {
  %r = call i1 @truth()
  ret i1 %r
}
; The same question is answered alike.
; @same_question() -> i1 false
define i1 @same_question() {
  %a = call i1 @truth()
  %b = call i1 @truth()
  %r = xor i1 %a, %b
  ret i1 %r
}
; @poison_argument(poison) -> void
define void @poison_argument(i8 %x) {
  call void @takes(i8 %x)
  ret void
}
; @noundef_argument(poison) -> ub noundef-violated
; @noundef_argument(undef) -> ub noundef-violated
; @noundef_argument(1) -> void
define void @noundef_argument(i8 %x) {
  call void @takes_noundef(i8 %x)
  ret void
}
; @never_comes_back() -> exited | threw | looped
define i8 @never_comes_back() {
  call void @leaves()
  unreachable
}
; An alloca that was not shown to it stays as it is.
; @own_memory() -> i8 4
define i8 @own_memory() {
  %p = alloca i8
  store i8 4, ptr %p
  call void @quiet()
  %r = load i8, ptr %p
  ret i8 %r
}
declare void @outside()
declare void @quiet() nounwind willreturn
declare i1 @truth() nounwind willreturn memory(none)
declare void @takes(i8) nounwind willreturn
declare void @takes_noundef(i8 noundef) nounwind willreturn
declare void @leaves() noreturn
; `norecurse`: not called while it is running, whoever calls it.
; @recurs_in_spite(0) -> i8 0
; @recurs_in_spite(1) -> ub norecurse-violated
define i8 @recurs_in_spite(i8 %n) norecurse {
  %end = icmp eq i8 %n, 0
  br i1 %end, label %done, label %more
more:
  %less = sub i8 %n, 1
  %r = call i8 @recurs_in_spite(i8 %less)
  ret i8 %r
done:
  ret i8 %n
}
; @recurs_through_another(2) -> ub norecurse-violated
define i8 @recurs_through_another(i8 %n) norecurse {
  %end = icmp eq i8 %n, 0
  br i1 %end, label %done, label %more
more:
  %r = call i8 @calls_it_back(i8 %n)
  ret i8 %r
done:
  ret i8 %n
}
define i8 @calls_it_back(i8 %n) {
  %less = sub i8 %n, 1
  %r = call i8 @recurs_through_another(i8 %less)
  ret i8 %r
}
; Called twice, one after the other: that is none.
; @calls_twice(1) -> i8 0
define i8 @calls_twice(i8 %n) norecurse {
  %a = call i8 @recurs_in_spite(i8 0)
  %b = call i8 @recurs_in_spite(i8 %a)
  ret i8 %b
}
; A function of a variable number of arguments that looks at none of these.
; @calls_variadic(3) -> i8 4
; @calls_variadic(poison) -> poison
define i8 @calls_variadic(i8 %x) {
  %a = call i8 (i8, ...) @variadic(i8 %x)
  %b = call i8 (i8, ...) @variadic(i8 %a, i8 7, ptr null, double 1.0)
  %r = sub i8 %b, 1
  ret i8 %r
}
; @variadic(3) -> i8 4
define i8 @variadic(i8 %x, ...) {
  %r = add i8 %x, 1
  ret i8 %r
}
; What is said of such an argument holds of it.
; @variadic_noundef(poison) -> ub noundef-violated
define i8 @variadic_noundef(i8 %x) {
  %a = call i8 (i8, ...) @variadic(i8 1, i8 noundef %x)
  ret i8 %a
}
; @reads_variable_arguments(3) -> unsupported intrinsic llvm.va_start.p0
define i8 @reads_variable_arguments(i8 %x, ...) {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  ret i8 %x
}
declare void @llvm.va_start.p0(ptr)
