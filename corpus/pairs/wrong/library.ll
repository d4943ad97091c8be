; Library functions do what their standards say: other results, other output and other use of allocations are wrong.

@abc = private constant [4 x i8] c"abc\00"
@hin = private constant [4 x i8] c"hi\0A\00"
@hi = private constant [3 x i8] c"hi\00"
@ho = private constant [3 x i8] c"ho\00"
@d = private constant [4 x i8] c"%d\0A\00"
declare i32 @abs(i32)
declare i64 @strlen(ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
declare i32 @strcmp(ptr, ptr)
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)

define i32 @src_abs_bad(i32 %x) {
%v = call i32 @abs(i32 %x)
ret i32 %v
}
define i32 @tgt_abs_bad(i32 %x) {
ret i32 %x
}

define i32 @src_abs_bad_guarded(i32 %x, i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
%v = call i32 @abs(i32 %x)
ret i32 %v
out:
ret i32 0
}
define i32 @tgt_abs_bad_guarded(i32 %x, i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
ret i32 %x
out:
ret i32 0
}

define i64 @src_strlen_bad() {
%v = call i64 @strlen(ptr @abc)
ret i64 %v
}
define i64 @tgt_strlen_bad() {
ret i64 4
}

define i64 @src_strlen_bad_guarded(i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
%v = call i64 @strlen(ptr @abc)
ret i64 %v
out:
ret i64 0
}
define i64 @tgt_strlen_bad_guarded(i32 %k) {
%kx = xor i32 %k, 305419896
%kc = icmp eq i32 %kx, 1985229328
br i1 %kc, label %in, label %out
in:
ret i64 4
out:
ret i64 0
}

define i32 @src_abs_nobuiltin(i32 %x) {
%v = call i32 @abs(i32 -5) nobuiltin
ret i32 %v
}
define i32 @tgt_abs_nobuiltin(i32 %x) {
ret i32 5
}

define void @src_printf_text() {
%v = call i32 (ptr, ...) @printf(ptr @hin)
ret void
}
define void @tgt_printf_text() {
%v = call i32 @puts(ptr @ho)
ret void
}

define void @src_printf_d(i32 %x) {
%v = call i32 (ptr, ...) @printf(ptr @d, i32 %x)
ret void
}
define void @tgt_printf_d(i32 %x) {
%y = add i32 %x, 1
%v = call i32 (ptr, ...) @printf(ptr @d, i32 %y)
ret void
}

define void @src_puts_drop() {
%v = call i32 @puts(ptr @hi)
ret void
}
define void @tgt_puts_drop() {
ret void
}

define i32 @src_malloc_wrong() {
%p = call ptr @malloc(i64 4)
store i32 1, ptr %p
%v = load i32, ptr %p
call void @free(ptr %p)
ret i32 %v
}
define i32 @tgt_malloc_wrong() {
ret i32 2
}

define i1 @src_malloc_null_bad() {
ret i1 false
}
define i1 @tgt_malloc_null_bad() {
%p = call ptr @malloc(i64 4)
%c = icmp eq ptr %p, null
call void @free(ptr %p)
ret i1 %c
}

define void @src_double_free() {
%p = call ptr @malloc(i64 4)
call void @free(ptr %p)
ret void
}
define void @tgt_double_free() {
%p = call ptr @malloc(i64 4)
call void @free(ptr %p)
call void @free(ptr %p)
ret void
}

define i8 @src_read_after_free() {
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
define i8 @tgt_read_after_free() {
%p = call ptr @calloc(i64 4, i64 1)
%c = icmp eq ptr %p, null
br i1 %c, label %n, label %y
n:
ret i8 0
y:
call void @free(ptr %p)
%v = load i8, ptr %p
ret i8 %v
}

define void @src_free_arg_added(ptr %p) {
ret void
}
define void @tgt_free_arg_added(ptr %p) {
call void @free(ptr %p)
ret void
}
