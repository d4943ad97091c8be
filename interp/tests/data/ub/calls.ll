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
