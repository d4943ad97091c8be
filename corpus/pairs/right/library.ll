; Library functions do what their standards say: calls of them may be replaced and removed.

@abc = private constant [4 x i8] c"abc\00"
@hin = private constant [4 x i8] c"hi\0A\00"
@hi = private constant [3 x i8] c"hi\00"
@ho = private constant [3 x i8] c"ho\00"
@s = private constant [4 x i8] c"%s\0A\00"
declare i32 @abs(i32)
declare i32 @isdigit(i32)
declare i64 @strlen(ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)
declare i32 @putchar(i32)
declare double @sin(double)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @atoi(ptr)

define i32 @src_abs(i32 %x) {
%v = call i32 @abs(i32 %x)
ret i32 %v
}
define i32 @tgt_abs(i32 %x) {
%v = call i32 @llvm.abs.i32(i32 %x, i1 true)
ret i32 %v
}

define i32 @src_abs_guarded(i32 %x, i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
%v = call i32 @abs(i32 %x)
ret i32 %v
out:
ret i32 0
}
define i32 @tgt_abs_guarded(i32 %x, i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
%v = call i32 @llvm.abs.i32(i32 %x, i1 true)
ret i32 %v
out:
ret i32 0
}

define i32 @src_digit(i32 noundef %x) {
%v = call i32 @isdigit(i32 %x)
ret i32 %v
}
define i32 @tgt_digit(i32 noundef %x) {
%a = sub i32 %x, 48
%c = icmp ult i32 %a, 10
%v = zext i1 %c to i32
ret i32 %v
}

define i32 @src_digit_guarded(i32 noundef %x, i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
%v = call i32 @isdigit(i32 %x)
ret i32 %v
out:
ret i32 0
}
define i32 @tgt_digit_guarded(i32 noundef %x, i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
%a = sub i32 %x, 48
%c = icmp ult i32 %a, 10
%v = zext i1 %c to i32
ret i32 %v
out:
ret i32 0
}

define i64 @src_strlen() {
%v = call i64 @strlen(ptr @abc)
ret i64 %v
}
define i64 @tgt_strlen() {
ret i64 3
}

define i1 @src_strlen0(ptr %p) {
%v = call i64 @strlen(ptr %p)
%c = icmp eq i64 %v, 0
ret i1 %c
}
define i1 @tgt_strlen0(ptr %p) {
%v = load i8, ptr %p
%c = icmp eq i8 %v, 0
ret i1 %c
}

define i1 @src_memcmp_bcmp(ptr %p, ptr %q) {
%v = call i32 @memcmp(ptr %p, ptr %q, i64 2)
%c = icmp eq i32 %v, 0
ret i1 %c
}
define i1 @tgt_memcmp_bcmp(ptr %p, ptr %q) {
%v = call i32 @bcmp(ptr %p, ptr %q, i64 2)
%c = icmp eq i32 %v, 0
ret i1 %c
}

define i32 @src_memcmp1(ptr %p, ptr %q) {
%v = call i32 @memcmp(ptr %p, ptr %q, i64 1)
ret i32 %v
}
define i32 @tgt_memcmp1(ptr %p, ptr %q) {
%a = load i8, ptr %p
%b = load i8, ptr %q
%x = zext i8 %a to i32
%y = zext i8 %b to i32
%v = sub i32 %x, %y
ret i32 %v
}

define i32 @src_fold_memcmp() {
%v = call i32 @memcmp(ptr @hi, ptr @ho, i64 2)
ret i32 %v
}
define i32 @tgt_fold_memcmp() {
ret i32 -1
}

define void @src_printf_puts() {
%v = call i32 (ptr, ...) @printf(ptr @hin)
ret void
}
define void @tgt_printf_puts() {
%v = call i32 @puts(ptr @hi)
ret void
}

define void @src_printf_s_puts(ptr %p) {
%v = call i32 (ptr, ...) @printf(ptr @s, ptr %p)
ret void
}
define void @tgt_printf_s_puts(ptr %p) {
%v = call i32 @puts(ptr %p)
ret void
}

define void @src_putchar() {
%a = call i32 @putchar(i32 104)
%b = call i32 @putchar(i32 105)
ret void
}
define void @tgt_putchar() {
%v = call i32 (ptr, ...) @printf(ptr @hi)
ret void
}

define void @src_malloc_free() {
%p = call ptr @malloc(i64 4)
call void @free(ptr %p)
ret void
}
define void @tgt_malloc_free() {
ret void
}

define i32 @src_malloc_right() {
%p = call ptr @malloc(i64 4)
store i32 1, ptr %p
%v = load i32, ptr %p
call void @free(ptr %p)
ret i32 %v
}
define i32 @tgt_malloc_right() {
ret i32 1
}

define i1 @src_malloc_null() {
%p = call ptr @malloc(i64 4)
%c = icmp eq ptr %p, null
call void @free(ptr %p)
ret i1 %c
}
define i1 @tgt_malloc_null() {
ret i1 false
}

define i8 @src_calloc_zero() {
%p = call ptr @calloc(i64 4, i64 1)
%c = icmp eq ptr %p, null
br i1 %c, label %n, label %y
n:
ret i8 0
y:
%v = load i8, ptr %p
call void @free(ptr %p)
ret i8 %v
}
define i8 @tgt_calloc_zero() {
ret i8 0
}

define void @src_free_arg_dropped(ptr %p) {
call void @free(ptr %p)
ret void
}
define void @tgt_free_arg_dropped(ptr %p) {
ret void
}

define i32 @src_atoi() {
%v = call i32 @atoi(ptr @abc)
ret i32 %v
}
define i32 @tgt_atoi() {
ret i32 0
}

define double @src_sin_fold() {
%v = call double @sin(double 0.0)
ret double %v
}
define double @tgt_sin_fold() {
ret double 0.0
}
