; Calls of library functions on strings and memory, replaced by something else.

@abc = private constant [4 x i8] c"abc\00"
@a = private constant [2 x i8] c"a\00"
@empty = private constant [1 x i8] zeroinitializer
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
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i64 @src_strlen_constant() {
  %v = call i64 @strlen(ptr @abc)
  ret i64 %v
}

define i64 @tgt_strlen_constant() {
  ret i64 4
}

define i1 @src_strlen_is_zero(ptr %p) {
  %v = call i64 @strlen(ptr %p)
  %c = icmp eq i64 %v, 0
  ret i1 %c
}

define i1 @tgt_strlen_is_zero(ptr %p) {
  %v = load i8, ptr %p
  %c = icmp ne i8 %v, 0
  ret i1 %c
}

define i1 @src_strlen_is_one(ptr %p) {
  %v = call i64 @strlen(ptr %p)
  %c = icmp eq i64 %v, 1
  ret i1 %c
}

define i1 @tgt_strlen_is_one(ptr %p) {
  %n = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %n
  %c = icmp eq i8 %v, 0
  ret i1 %c
}

define i64 @src_strlen_moved(ptr %p) {
  %v = call i64 @strlen(ptr %p)
  ret i64 %v
}

define i64 @tgt_strlen_moved(ptr %p) {
  %n = getelementptr i8, ptr %p, i64 1
  %w = call i64 @strlen(ptr %n)
  %v = add i64 %w, 1
  ret i64 %v
}

define i64 @src_strnlen_one(ptr %p) {
  %v = call i64 @strnlen(ptr %p, i64 1)
  ret i64 %v
}

define i64 @tgt_strnlen_one(ptr %p) {
  %v = load i8, ptr %p
  %c = icmp eq i8 %v, 0
  %r = zext i1 %c to i64
  ret i64 %r
}

define i64 @src_wcslen_as_strlen() {
  %v = call i64 @wcslen(ptr @wide)
  ret i64 %v
}

define i64 @tgt_wcslen_as_strlen() {
  %v = call i64 @strlen(ptr @wide)
  ret i64 %v
}

define i32 @src_memcmp_reversed(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  ret i32 %v
}

define i32 @tgt_memcmp_reversed(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %v = sub i32 %y, %x
  ret i32 %v
}

define i32 @src_memcmp_signed(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  ret i32 %v
}

define i32 @tgt_memcmp_signed(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %x = sext i8 %a to i32
  %y = sext i8 %b to i32
  %v = sub i32 %x, %y
  ret i32 %v
}

define i32 @src_memcmp_of_any_size(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %v = sub i32 %x, %y
  ret i32 %v
}

define i32 @tgt_memcmp_of_any_size(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  ret i32 %v
}

define i1 @src_memcmp_order(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %c = icmp slt i32 %v, 0
  ret i1 %c
}

define i1 @tgt_memcmp_order(ptr %p, ptr %q) {
  %a = load i16, ptr %p, align 1
  %b = load i16, ptr %q, align 1
  %c = icmp ult i16 %a, %b
  ret i1 %c
}

define i1 @src_memcmp_four(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 4)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i1 @tgt_memcmp_four(ptr %p, ptr %q) {
  %a = load i16, ptr %p, align 1
  %b = load i16, ptr %q, align 1
  %c = icmp eq i16 %a, %b
  ret i1 %c
}

define i1 @src_memcmp_longer(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i1 @tgt_memcmp_longer(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 3)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i32 @src_memcmp_as_strncmp(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  ret i32 %v
}

define i32 @tgt_memcmp_as_strncmp(ptr %p, ptr %q) {
  %v = call i32 @strncmp(ptr %p, ptr %q, i64 2)
  ret i32 %v
}

define i1 @src_bcmp_as_one_byte(ptr %p, ptr %q) {
  %v = call i32 @bcmp(ptr %p, ptr %q, i64 2)
  %c = icmp ne i32 %v, 0
  ret i1 %c
}

define i1 @tgt_bcmp_as_one_byte(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %c = icmp ne i8 %a, %b
  ret i1 %c
}

define i1 @src_bcmp_has_no_sign(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %c = icmp slt i32 %v, 0
  ret i1 %c
}

define i1 @tgt_bcmp_has_no_sign(ptr %p, ptr %q) {
  %v = call i32 @bcmp(ptr %p, ptr %q, i64 2)
  %c = icmp slt i32 %v, 0
  ret i1 %c
}

define i32 @src_strcmp_empty(ptr %p) {
  %v = call i32 @strcmp(ptr %p, ptr @empty)
  ret i32 %v
}

define i32 @tgt_strcmp_empty(ptr %p) {
  %a = load i8, ptr %p
  %v = sext i8 %a to i32
  ret i32 %v
}

define i1 @src_strcmp_as_memcmp(ptr %p, ptr %q) {
  %v = call i32 @strcmp(ptr %p, ptr %q)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i1 @tgt_strcmp_as_memcmp(ptr %p, ptr %q) {
  %v = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %c = icmp eq i32 %v, 0
  ret i1 %c
}

define i32 @src_strncmp_two(ptr %p, ptr %q) {
  %v = call i32 @strncmp(ptr %p, ptr %q, i64 2)
  ret i32 %v
}

define i32 @tgt_strncmp_two(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %v = sub i32 %x, %y
  ret i32 %v
}

define i32 @src_strncmp_reads(ptr %p, ptr %q, i64 noundef %n) {
  %v = call i32 @strncmp(ptr %p, ptr %q, i64 %n)
  ret i32 %v
}

define i32 @tgt_strncmp_reads(ptr %p, ptr %q, i64 noundef %n) {
  %x = load i8, ptr %p
  %v = call i32 @strncmp(ptr %p, ptr %q, i64 %n)
  ret i32 %v
}

define ptr @src_strchr_end(ptr %p) {
  %v = call ptr @strchr(ptr %p, i32 0)
  ret ptr %v
}

define ptr @tgt_strchr_end(ptr %p) {
  %n = call i64 @strlen(ptr %p)
  %m = add i64 %n, 1
  %v = getelementptr i8, ptr %p, i64 %m
  ret ptr %v
}

define ptr @src_strchr_as_memchr(ptr %p) {
  %v = call ptr @strchr(ptr %p, i32 97)
  ret ptr %v
}

define ptr @tgt_strchr_as_memchr(ptr %p) {
  %v = call ptr @memchr(ptr %p, i32 97, i64 2)
  ret ptr %v
}

define ptr @src_strrchr_first(ptr %p, i32 noundef %w) {
  %v = call ptr @strrchr(ptr %p, i32 %w)
  ret ptr %v
}

define ptr @tgt_strrchr_first(ptr %p, i32 noundef %w) {
  %v = call ptr @strchr(ptr %p, i32 %w)
  ret ptr %v
}

define ptr @src_memchr_unchecked(ptr %p, i32 noundef %w) {
  %v = call ptr @memchr(ptr %p, i32 %w, i64 1)
  ret ptr %v
}

define ptr @tgt_memchr_unchecked(ptr %p, i32 noundef %w) {
  %a = load i8, ptr %p
  ret ptr %p
}

define i1 @src_memchr_in_constant(i32 noundef %w) {
  %v = call ptr @memchr(ptr @abc, i32 %w, i64 2)
  %c = icmp ne ptr %v, null
  ret i1 %c
}

define i1 @tgt_memchr_in_constant(i32 noundef %w) {
  %b = trunc i32 %w to i8
  %x = sub i8 %b, 97
  %c = icmp ult i8 %x, 3
  ret i1 %c
}

define void @src_memcpy_shorter(ptr %d, ptr %s) {
  %v = call ptr @memcpy(ptr %d, ptr %s, i64 4)
  ret void
}

define void @tgt_memcpy_shorter(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 3, i1 false)
  ret void
}

define ptr @src_mempcpy_start(ptr %d, ptr %s) {
  %v = call ptr @mempcpy(ptr %d, ptr %s, i64 2)
  ret ptr %v
}

define ptr @tgt_mempcpy_start(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 2, i1 false)
  ret ptr %d
}

define void @src_memmove_as_memcpy(ptr %d, ptr %s) {
  %v = call ptr @memmove(ptr %d, ptr %s, i64 2)
  ret void
}

define void @tgt_memmove_as_memcpy(ptr %d, ptr %s) {
  %v = call ptr @memcpy(ptr %d, ptr %s, i64 2)
  ret void
}

define void @src_memset_another(ptr %d) {
  %v = call ptr @memset(ptr %d, i32 257, i64 2)
  ret void
}

define void @tgt_memset_another(ptr %d) {
  %v = call ptr @memset(ptr %d, i32 256, i64 2)
  ret void
}

define void @src_bzero_shorter(ptr %d) {
  call void @bzero(ptr %d, i64 2)
  ret void
}

define void @tgt_bzero_shorter(ptr %d) {
  store i8 0, ptr %d
  ret void
}

define ptr @src_strcpy_without_end(ptr %d) {
  %v = call ptr @strcpy(ptr %d, ptr @abc)
  ret ptr %v
}

define ptr @tgt_strcpy_without_end(ptr %d) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr @abc, i64 3, i1 false)
  ret ptr %d
}

define ptr @src_stpcpy_past_the_end(ptr %d) {
  %v = call ptr @stpcpy(ptr %d, ptr @abc)
  ret ptr %v
}

define ptr @tgt_stpcpy_past_the_end(ptr %d) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr @abc, i64 4, i1 false)
  %v = getelementptr i8, ptr %d, i64 4
  ret ptr %v
}

define void @src_strcat_as_strcpy(ptr %d) {
  %v = call ptr @strcat(ptr %d, ptr @a)
  ret void
}

define void @tgt_strcat_as_strcpy(ptr %d) {
  %v = call ptr @strcpy(ptr %d, ptr @a)
  ret void
}

define void @src_strcat_past_the_end(ptr %d) {
  %v = call ptr @strcat(ptr %d, ptr @a)
  ret void
}

define void @tgt_strcat_past_the_end(ptr %d) {
  %n = call i64 @strlen(ptr %d)
  %m = add i64 %n, 1
  %e = getelementptr i8, ptr %d, i64 %m
  call void @llvm.memcpy.p0.p0.i64(ptr %e, ptr @a, i64 2, i1 false)
  ret void
}

define i64 @src_strnlen_reads(ptr %p, i64 noundef %n) {
  %v = call i64 @strnlen(ptr %p, i64 %n)
  ret i64 %v
}

define i64 @tgt_strnlen_reads(ptr %p, i64 noundef %n) {
  %b = load i8, ptr %p
  %v = call i64 @strnlen(ptr %p, i64 %n)
  ret i64 %v
}

; Equal calls have equal results.
define i1 @src_equal_isdigit(i32 noundef %a) {
  %x = call i32 @isdigit(i32 %a)
  %y = call i32 @isdigit(i32 %a)
  %c = icmp eq i32 %x, %y
  ret i1 %c
}

define i1 @tgt_equal_isdigit(i32 noundef %a) {
  ret i1 false
}

define i1 @src_equal_in_loop(i32 noundef %a, i8 noundef %n) {
entry:
  br label %loop
loop:
  %k = phi i8 [ 0, %entry ], [ %k1, %loop ]
  %x = call i32 @isdigit(i32 %a)
  %y = call i32 @isdigit(i32 %a)
  %c = icmp eq i32 %x, %y
  %k1 = add i8 %k, 1
  %d = icmp ult i8 %k1, %n
  br i1 %d, label %loop, label %out
out:
  ret i1 %c
}

define i1 @tgt_equal_in_loop(i32 noundef %a, i8 noundef %n) {
entry:
  %x = sub i32 %a, 48
  %is = icmp ult i32 %x, 10
  br label %loop
loop:
  %k = phi i8 [ 0, %entry ], [ %k1, %loop ]
  %y = call i32 @isdigit(i32 %a)
  %one = zext i1 %is to i32
  %c = icmp eq i32 %y, %one
  %k1 = add i8 %k, 1
  %d = icmp ult i8 %k1, %n
  br i1 %d, label %loop, label %out
out:
  ret i1 %c
}

define i1 @src_equal_in_turn(i32 noundef %a, i8 noundef %n) {
entry:
  br label %loop
loop:
  %k = phi i8 [ 0, %entry ], [ %k1, %loop ]
  %last = phi i32 [ 0, %entry ], [ %i, %loop ]
  %i = call i32 @isdigit(i32 %a)
  %c = icmp eq i32 %i, %last
  %k1 = add i8 %k, 1
  %d = icmp ult i8 %k1, %n
  br i1 %d, label %loop, label %out
out:
  ret i1 %c
}

define i1 @tgt_equal_in_turn(i32 noundef %a, i8 noundef %n) {
entry:
  %x = sub i32 %a, 48
  %is = icmp ult i32 %x, 10
  br label %loop
loop:
  %k = phi i8 [ 0, %entry ], [ %k1, %loop ]
  %k1 = add i8 %k, 1
  %d = icmp ult i8 %k1, %n
  br i1 %d, label %loop, label %out
out:
  %c = xor i1 %is, true
  ret i1 %c
}

; Other bytes that differ may give other results.
define i1 @src_memcmp_after_store(ptr noundef %p, ptr noundef %q) {
  %x = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  store i8 7, ptr %p
  %y = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  %c = icmp eq i32 %x, %y
  ret i1 %c
}

define i1 @tgt_memcmp_after_store(ptr noundef %p, ptr noundef %q) {
  %x = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  store i8 7, ptr %p
  ret i1 true
}

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}

define i32 @src_memcmp_least(ptr %p, ptr %q) {
  %c = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %r = sub i32 0, %c
  ret i32 %r
}

define i32 @tgt_memcmp_least(ptr %p, ptr %q) {
  %c = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %r = sub nsw i32 0, %c
  ret i32 %r
}

define i32 @src_strcmp_least(ptr %p, ptr %q) {
  %c = call i32 @strcmp(ptr %p, ptr %q)
  %r = sub i32 0, %c
  ret i32 %r
}

define i32 @tgt_strcmp_least(ptr %p, ptr %q) {
  %c = call i32 @strcmp(ptr %p, ptr %q)
  %r = sub nsw i32 0, %c
  ret i32 %r
}
