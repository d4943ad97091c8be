; Calls of library functions on strings and memory may be replaced by what they do.

@abc = private constant [4 x i8] c"abc\00"
@a = private constant [2 x i8] c"a\00"
@empty = private constant [1 x i8] zeroinitializer
@hi = private constant [3 x i8] c"hi\00"
@ho = private constant [3 x i8] c"ho\00"
@wide = private constant [3 x i32] [i32 104, i32 105, i32 0]

declare i64 @strlen(ptr)
declare i64 @strnlen(ptr, i64)
declare i64 @wcslen(ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
declare i32 @strcmp(ptr, ptr)
declare i32 @strncmp(ptr, ptr, i64)
declare ptr @strchr(ptr, i32)
declare ptr @strrchr(ptr, i32)
declare ptr @memchr(ptr, i32, i64)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @mempcpy(ptr, ptr, i64)
declare ptr @memmove(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare void @bzero(ptr, i64)
declare ptr @strcpy(ptr, ptr)
declare ptr @stpcpy(ptr, ptr)
declare ptr @strcat(ptr, ptr)
declare i32 @isdigit(i32)
declare void @use(i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define i64 @src_strlen_constant() {
  %v = call i64 @strlen(ptr @abc)
  ret i64 %v
}

define i64 @tgt_strlen_constant() {
  ret i64 3
}

define i64 @src_strlen_of_the_middle() {
  %m = getelementptr i8, ptr @abc, i64 1
  %v = call i64 @strlen(ptr %m)
  ret i64 %v
}

define i64 @tgt_strlen_of_the_middle() {
  ret i64 2
}

define i1 @src_strlen_is_zero(ptr %p) {
  %v = call i64 @strlen(ptr %p)
  %c = icmp eq i64 %v, 0
  ret i1 %c
}

define i1 @tgt_strlen_is_zero(ptr %p) {
  %v = load i8, ptr %p
  %c = icmp eq i8 %v, 0
  ret i1 %c
}

define i64 @src_strlen_stepped(ptr %p) {
  %b = load i8, ptr %p
  %z = icmp eq i8 %b, 0
  %v = call i64 @strlen(ptr %p)
  %r = select i1 %z, i64 7, i64 %v
  ret i64 %r
}

define i64 @tgt_strlen_stepped(ptr %p) {
  %b = load i8, ptr %p
  %z = icmp eq i8 %b, 0
  br i1 %z, label %zero, label %other

zero:
  ret i64 7

other:
  %n = getelementptr i8, ptr %p, i64 1
  %w = call i64 @strlen(ptr %n)
  %v = add i64 %w, 1
  ret i64 %v
}

define i64 @src_strnlen_zero(ptr %p) {
  %v = call i64 @strnlen(ptr %p, i64 0)
  ret i64 %v
}

define i64 @tgt_strnlen_zero(ptr %p) {
  ret i64 0
}

define i64 @src_strnlen_one(ptr %p) {
  %v = call i64 @strnlen(ptr %p, i64 1)
  ret i64 %v
}

define i64 @tgt_strnlen_one(ptr %p) {
  %v = load i8, ptr %p
  %c = icmp ne i8 %v, 0
  %r = zext i1 %c to i64
  ret i64 %r
}

define i64 @src_wcslen_constant() {
  %v = call i64 @wcslen(ptr @wide)
  ret i64 %v
}

define i64 @tgt_wcslen_constant() {
  ret i64 2
}

define i1 @src_wcslen_is_zero(ptr align 4 %p) {
  %v = call i64 @wcslen(ptr %p)
  %c = icmp eq i64 %v, 0
  ret i1 %c
}

define i1 @tgt_wcslen_is_zero(ptr align 4 %p) {
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i32 @src_memcmp_one(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  ret i32 %v
}

define i32 @tgt_memcmp_one(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %v = sub i32 %x, %y
  ret i32 %v
}

define i1 @src_memcmp_sign(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %c = icmp slt i32 %v, 0
  ret i1 %c
}

define i1 @tgt_memcmp_sign(ptr %p, ptr %q) {
  %w = call i32 @memcmp(ptr %q, ptr %p, i64 2)
  %c = icmp sgt i32 %w, 0
  ret i1 %c
}

define i32 @src_memcmp_constant() {
  %v = call i32 @memcmp(ptr @hi, ptr @ho, i64 2)
  ret i32 %v
}

define i32 @tgt_memcmp_constant() {
  ret i32 -1
}

define i1 @src_memcmp_four(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 1, !noundef !{}
  %b = load i32, ptr %q, align 1, !noundef !{}
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 4)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i1 @tgt_memcmp_four(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 1, !noundef !{}
  %b = load i32, ptr %q, align 1, !noundef !{}
  %c = icmp eq i32 %a, %b
  ret i1 %c
}

define i1 @src_memcmp_as_bcmp(ptr %p, ptr %q, i64 %n) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i1 @tgt_memcmp_as_bcmp(ptr %p, ptr %q, i64 %n) {
  %v = call i32 @bcmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i1 @src_bcmp_two(ptr %p, ptr %q) {
  %a = load i16, ptr %p, align 1, !noundef !{}
  %b = load i16, ptr %q, align 1, !noundef !{}
  %v = call i32 @bcmp(ptr %p, ptr %q, i64 2)
  %c = icmp ne i32 %v, 0
  ret i1 %c
}

define i1 @tgt_bcmp_two(ptr %p, ptr %q) {
  %a = load i16, ptr %p, align 1, !noundef !{}
  %b = load i16, ptr %q, align 1, !noundef !{}
  %c = icmp ne i16 %a, %b
  ret i1 %c
}

define i32 @src_strcmp_empty(ptr %p) {
  %v = call i32 @strcmp(ptr %p, ptr @empty)
  ret i32 %v
}

define i32 @tgt_strcmp_empty(ptr %p) {
  %a = load i8, ptr %p
  %v = zext i8 %a to i32
  ret i32 %v
}

define i32 @src_strcmp_constant() {
  %v = call i32 @strcmp(ptr @hi, ptr @ho)
  ret i32 %v
}

define i32 @tgt_strcmp_constant() {
  ret i32 -1
}

define i32 @src_strcmp_same(ptr %p) {
  %v = call i32 @strcmp(ptr %p, ptr %p)
  ret i32 %v
}

define i32 @tgt_strcmp_same(ptr %p) {
  ret i32 0
}

define i32 @src_strncmp_one(ptr %p, ptr %q) {
  %v = call i32 @strncmp(ptr %p, ptr %q, i64 1)
  ret i32 %v
}

define i32 @tgt_strncmp_one(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %v = sub i32 %x, %y
  ret i32 %v
}

define i32 @src_strncmp_zero(ptr %p, ptr %q) {
  %v = call i32 @strncmp(ptr %p, ptr %q, i64 0)
  ret i32 %v
}

define i32 @tgt_strncmp_zero(ptr %p, ptr %q) {
  ret i32 0
}

define ptr @src_strchr_end(ptr %p) {
  %v = call ptr @strchr(ptr %p, i32 0)
  ret ptr %v
}

define ptr @tgt_strchr_end(ptr %p) {
  %n = call i64 @strlen(ptr %p)
  %v = getelementptr i8, ptr %p, i64 %n
  ret ptr %v
}

define ptr @src_strchr_constant() {
  %v = call ptr @strchr(ptr @abc, i32 99)
  ret ptr %v
}

define ptr @tgt_strchr_constant() {
  %v = getelementptr i8, ptr @abc, i64 2
  ret ptr %v
}

define ptr @src_strrchr_end(ptr %p) {
  %v = call ptr @strrchr(ptr %p, i32 0)
  ret ptr %v
}

define ptr @tgt_strrchr_end(ptr %p) {
  %v = call ptr @strchr(ptr %p, i32 0)
  ret ptr %v
}

define ptr @src_memchr_one(ptr %p, i32 noundef %w) {
  %v = call ptr @memchr(ptr %p, i32 %w, i64 1)
  ret ptr %v
}

define ptr @tgt_memchr_one(ptr %p, i32 noundef %w) {
  %a = load i8, ptr %p
  %b = trunc i32 %w to i8
  %c = icmp eq i8 %a, %b
  %v = select i1 %c, ptr %p, ptr null
  ret ptr %v
}

define ptr @src_memchr_constant() {
  %v = call ptr @memchr(ptr @abc, i32 98, i64 3)
  ret ptr %v
}

define ptr @tgt_memchr_constant() {
  %v = getelementptr i8, ptr @abc, i64 1
  ret ptr %v
}

define i1 @src_memchr_in_constant(i32 noundef %w) {
  %v = call ptr @memchr(ptr @abc, i32 %w, i64 2)
  %c = icmp ne ptr %v, null
  ret i1 %c
}

define i1 @tgt_memchr_in_constant(i32 noundef %w) {
  %b = trunc i32 %w to i8
  %x = sub i8 %b, 97
  %c = icmp ult i8 %x, 2
  ret i1 %c
}

define ptr @src_memcpy_as_intrinsic(ptr %d, ptr %s, i64 %n) {
  %v = call ptr @memcpy(ptr %d, ptr %s, i64 %n)
  ret ptr %v
}

define ptr @tgt_memcpy_as_intrinsic(ptr %d, ptr %s, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  ret ptr %d
}

define ptr @src_mempcpy_as_memcpy(ptr %d, ptr %s, i64 %n) {
  %v = call ptr @mempcpy(ptr %d, ptr %s, i64 %n)
  ret ptr %v
}

define ptr @tgt_mempcpy_as_memcpy(ptr %d, ptr %s, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  %v = getelementptr i8, ptr %d, i64 %n
  ret ptr %v
}

define ptr @src_memmove_as_intrinsic(ptr %d, ptr %s, i64 %n) {
  %v = call ptr @memmove(ptr %d, ptr %s, i64 %n)
  ret ptr %v
}

define ptr @tgt_memmove_as_intrinsic(ptr %d, ptr %s, i64 %n) {
  call void @llvm.memmove.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)
  ret ptr %d
}

define ptr @src_memset_as_intrinsic(ptr %d, i32 %w, i64 %n) {
  %v = call ptr @memset(ptr %d, i32 %w, i64 %n)
  ret ptr %v
}

define ptr @tgt_memset_as_intrinsic(ptr %d, i32 %w, i64 %n) {
  %b = trunc i32 %w to i8
  call void @llvm.memset.p0.i64(ptr %d, i8 %b, i64 %n, i1 false)
  ret ptr %d
}

define void @src_bzero_as_memset(ptr %d, i64 %n) {
  call void @bzero(ptr %d, i64 %n)
  ret void
}

define void @tgt_bzero_as_memset(ptr %d, i64 %n) {
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 %n, i1 false)
  ret void
}

define ptr @src_strcpy_constant(ptr %d) {
  %v = call ptr @strcpy(ptr %d, ptr @abc)
  ret ptr %v
}

define ptr @tgt_strcpy_constant(ptr %d) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr @abc, i64 4, i1 false)
  ret ptr %d
}

define ptr @src_stpcpy_constant(ptr %d) {
  %v = call ptr @stpcpy(ptr %d, ptr @abc)
  ret ptr %v
}

define ptr @tgt_stpcpy_constant(ptr %d) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr @abc, i64 4, i1 false)
  %v = getelementptr i8, ptr %d, i64 3
  ret ptr %v
}

define void @src_stpcpy_as_strcpy(ptr %d, ptr %s) {
  %v = call ptr @stpcpy(ptr %d, ptr %s)
  ret void
}

define void @tgt_stpcpy_as_strcpy(ptr %d, ptr %s) {
  %v = call ptr @strcpy(ptr %d, ptr %s)
  ret void
}

define ptr @src_strcat_nothing(ptr %d) {
  %v = call ptr @strcat(ptr %d, ptr @empty)
  ret ptr %v
}

define ptr @tgt_strcat_nothing(ptr %d) {
  ret ptr %d
}

define ptr @src_strcat_constant(ptr %d) {
  %v = call ptr @strcat(ptr %d, ptr @a)
  ret ptr %v
}

define ptr @tgt_strcat_constant(ptr %d) {
  %n = call i64 @strlen(ptr %d)
  %e = getelementptr i8, ptr %d, i64 %n
  call void @llvm.memcpy.p0.p0.i64(ptr %e, ptr @a, i64 2, i1 false)
  ret ptr %d
}

define i64 @src_local_copy() {
  %d = alloca [4 x i8]
  %c = call ptr @strcpy(ptr %d, ptr @abc)
  %v = call i64 @strlen(ptr %d)
  ret i64 %v
}

define i64 @tgt_local_copy() {
  ret i64 3
}

; Equal calls have equal results.
define i1 @src_equal_isdigit(i32 noundef %a) {
  %x = call i32 @isdigit(i32 %a)
  %y = call i32 @isdigit(i32 %a)
  %c = icmp eq i32 %x, %y
  ret i1 %c
}

define i1 @tgt_equal_isdigit(i32 noundef %a) {
  ret i1 true
}

define i1 @src_equal_memcmp(ptr noundef %p, ptr noundef %q) {
  %x = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %y = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %c = icmp eq i32 %x, %y
  ret i1 %c
}

define i1 @tgt_equal_memcmp(ptr noundef %p, ptr noundef %q) {
  %x = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  ret i1 true
}

define i32 @src_bcmp_again(ptr noundef %p, ptr noundef %q) {
  %x = call i32 @bcmp(ptr %p, ptr %q, i64 2)
  %r = mul i32 %x, 2
  ret i32 %r
}

define i32 @tgt_bcmp_again(ptr noundef %p, ptr noundef %q) {
  %x = call i32 @bcmp(ptr %p, ptr %q, i64 2)
  %y = call i32 @bcmp(ptr %p, ptr %q, i64 2)
  %r = add i32 %x, %y
  ret i32 %r
}

define void @src_isdigit_in_loop(i32 noundef %a, i8 noundef %n) {
entry:
  %i = call i32 @isdigit(i32 %a)
  br label %loop
loop:
  %k = phi i8 [ 0, %entry ], [ %k1, %loop ]
  call void @use(i32 %i)
  %k1 = add i8 %k, 1
  %c = icmp ult i8 %k1, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}

define void @tgt_isdigit_in_loop(i32 noundef %a, i8 noundef %n) {
entry:
  br label %loop
loop:
  %k = phi i8 [ 0, %entry ], [ %k1, %loop ]
  %i = call i32 @isdigit(i32 %a)
  call void @use(i32 %i)
  %k1 = add i8 %k, 1
  %c = icmp ult i8 %k1, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}

define i64 @src_wcslen_unaligned(ptr %p) {
  %v = load i32, ptr %p, align 1
  %z = icmp eq i32 %v, 0
  br i1 %z, label %none, label %some
none:
  ret i64 0
some:
  %n = call i64 @wcslen(ptr %p)
  ret i64 %n
}

define i64 @tgt_wcslen_unaligned(ptr %p) {
  %n = call i64 @wcslen(ptr %p)
  ret i64 %n
}
