; What functions promise about memory and about coming back; noalias.

@g = global i32 1, align 4
@k = constant i32 6, align 4

; @readonly_argument(zeros:4) -> ub readonly-argument
define void @readonly_argument(ptr readonly %p) {
  store i32 1, ptr %p, align 1
  ret void
}
; @readonly_argument_read(bytes:02000000) -> i32 2
define i32 @readonly_argument_read(ptr readonly %p) {
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
; Through another pointer to the same memory it may be written.
; @readonly_argument_beside(zeros:4, arg0+0) -> void
define void @readonly_argument_beside(ptr readonly %p, ptr %q) {
  store i32 1, ptr %q, align 1
  ret void
}
; @readonly_derived(zeros:8) -> ub readonly-argument
define void @readonly_derived(ptr readonly %p) {
  %q = getelementptr i8, ptr %p, i64 4
  store i8 1, ptr %q
  ret void
}
; @writeonly_argument(zeros:4) -> poison
define i32 @writeonly_argument(ptr writeonly %p) {
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
; @readnone_argument(zeros:4) -> ub readnone-argument
define i32 @readnone_argument(ptr readnone %p) {
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
; @memory_none() -> ub memory-effects-violated
define i32 @memory_none() memory(none) {
  %r = load i32, ptr @g
  ret i32 %r
}
; Constants and what is the function's own are not counted.
; @memory_none_own() -> i32 3
define i32 @memory_none_own() memory(none) {
  %p = alloca i32
  store i32 3, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}
; @memory_none_constant() -> i32 6
define i32 @memory_none_constant() memory(none) {
  %r = load i32, ptr @k
  ret i32 %r
}
; @memory_read() -> ub memory-effects-violated
define void @memory_read() memory(read) {
  store i32 1, ptr @g
  ret void
}
; @memory_write() -> poison
define i32 @memory_write() memory(write) {
  %r = load i32, ptr @g
  ret i32 %r
}
; Attributes that tell the arguments' memory from other memory are not checked: with fewer runs undefined, fewer
; changes are right.
; @memory_argmem(zeros:4) -> void
define void @memory_argmem(ptr %p) memory(argmem: readwrite) {
  store i32 1, ptr @g
  ret void
}
; @memory_argmem_argument(zeros:4) -> void
define void @memory_argmem_argument(ptr %p) memory(argmem: readwrite) {
  store i32 1, ptr %p, align 1
  ret void
}
; @calls_memory_none() -> ub memory-effects-violated
define i32 @calls_memory_none() {
  %r = call i32 @memory_none()
  ret i32 %r
}
; The caller's promise binds what it calls.
; @promises_for_callee() -> ub memory-effects-violated
define void @promises_for_callee() memory(read) {
  call void @writes_g()
  ret void
}
define void @writes_g() {
  store i32 2, ptr @g
  ret void
}
; A noalias argument, written, and read by another pointer.
; @noalias_written(zeros:4, arg0+0) -> ub noalias-violated
; @noalias_written(zeros:4, zeros:4) -> i32 0
define i32 @noalias_written(ptr noalias %p, ptr %q) {
  store i32 1, ptr %p, align 1
  %r = load i32, ptr %q, align 1
  ret i32 %r
}
; Reads alone are no violation.
; @noalias_only_read(bytes:05000000, arg0+0) -> i32 5
define i32 @noalias_only_read(ptr noalias %p, ptr %q) {
  %x = load i32, ptr %p, align 1
  %r = load i32, ptr %q, align 1
  ret i32 %r
}
; @noalias_other_write(zeros:4, arg0+0) -> ub noalias-violated
define i32 @noalias_other_write(ptr noalias %p, ptr %q) {
  %x = load i32, ptr %p, align 1
  store i32 2, ptr %q, align 1
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
; Other bytes of the same object are not meant.
; @noalias_other_bytes(zeros:8, arg0+4) -> i32 0
define i32 @noalias_other_bytes(ptr noalias %p, ptr %q) {
  store i32 1, ptr %p, align 1
  %r = load i32, ptr %q, align 1
  ret i32 %r
}
; @noalias_global() -> ub noalias-violated
define i32 @noalias_global() {
  %r = call i32 @takes_noalias(ptr @g)
  ret i32 %r
}
define i32 @takes_noalias(ptr noalias %p) {
  store i32 3, ptr %p
  %r = load i32, ptr @g
  ret i32 %r
}
; What is derived from the argument is the argument.
; @noalias_derived(zeros:8) -> i32 1
define i32 @noalias_derived(ptr noalias %p) {
  %q = getelementptr i8, ptr %p, i64 0
  store i32 1, ptr %p, align 1
  %r = load i32, ptr %q, align 1
  ret i32 %r
}
; When the call is over, so is the promise.
; @noalias_over(zeros:4) -> i32 7
define i32 @noalias_over(ptr %p) {
  call void @writes_noalias(ptr %p)
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
define void @writes_noalias(ptr noalias %p) {
  store i32 7, ptr %p, align 1
  ret void
}
; @noreturn_returns() -> ub noreturn-returned
define void @noreturn_returns() noreturn {
  ret void
}
; @calls_noreturn() -> ub noreturn-returned
define void @calls_noreturn() {
  call void @plain() noreturn
  ret void
}
define void @plain() {
  ret void
}
; @willreturn_traps() -> ub willreturn-violated
define void @willreturn_traps() willreturn {
  call void @llvm.trap()
  unreachable
}
; @traps() -> trapped
define void @traps() {
  call void @llvm.trap()
  unreachable
}
; @willreturn_loops() -> ub willreturn-violated
define void @willreturn_loops() willreturn {
entry:
  br label %loop
loop:
  br label %loop
}
; @bad_callee(zeros:8) -> ub bad-callee
; @bad_callee(null) -> ub bad-callee
; @bad_callee(poison) -> ub bad-callee
; @bad_callee(undef) -> ub bad-callee
; @bad_callee(@plain) -> void
define void @bad_callee(ptr %f) {
  call void %f()
  ret void
}
; @callee_inside() -> ub bad-callee
define void @callee_inside() {
  %f = getelementptr i8, ptr @plain, i64 1
  call void %f()
  ret void
}
; @wrong_signature() -> unsupported a call with another type than its callee's
define i32 @wrong_signature() {
  %r = call i32 @plain(i32 4)
  ret i32 %r
}
; byval gives the callee its own copy.
; @byval_copy() -> i32 1
define i32 @byval_copy() {
  %p = alloca i32
  store i32 1, ptr %p
  call void @changes_copy(ptr byval(i32) align 4 %p)
  %r = load i32, ptr %p
  ret i32 %r
}
define void @changes_copy(ptr byval(i32) align 4 %p) {
  store i32 9, ptr %p
  ret void
}
declare void @llvm.trap()

; An allocation is freed once, and memory of the stack never.
declare ptr @malloc(i64)
declare void @free(ptr)
; @freed_twice() -> ub use-after-free | void
define void @freed_twice() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret void
}
; @frees_the_stack() -> ub invalid-free
define void @frees_the_stack() {
  %p = alloca i32
  call void @free(ptr %p)
  ret void
}
