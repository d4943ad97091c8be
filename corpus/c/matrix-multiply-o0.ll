; Matrix multiply, as clang -O0 leaves it: c = a * b for 2x2 matrices of bytes, computed modulo 256.
;
; C source: matrix-multiply.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @matrix_multiply(ptr noundef %c, ptr noundef %a, ptr noundef %b) #0 {
entry:
  %c.addr = alloca ptr, align 8
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %i = alloca i32, align 4
  %j = alloca i32, align 4
  %sum = alloca i8, align 1
  %k = alloca i32, align 4
  store ptr %c, ptr %c.addr, align 8
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  store i32 0, ptr %i, align 4
  br label %for.cond

for.cond:
  %0 = load i32, ptr %i, align 4
  %cmp = icmp slt i32 %0, 2
  br i1 %cmp, label %for.body, label %for.end25

for.body:
  store i32 0, ptr %j, align 4
  br label %for.cond1

for.cond1:
  %1 = load i32, ptr %j, align 4
  %cmp2 = icmp slt i32 %1, 2
  br i1 %cmp2, label %for.body3, label %for.end22

for.body3:
  store i8 0, ptr %sum, align 1
  store i32 0, ptr %k, align 4
  br label %for.cond4

for.cond4:
  %2 = load i32, ptr %k, align 4
  %cmp5 = icmp slt i32 %2, 2
  br i1 %cmp5, label %for.body6, label %for.end

for.body6:
  %3 = load ptr, ptr %a.addr, align 8
  %4 = load i32, ptr %i, align 4
  %idxprom = sext i32 %4 to i64
  %arrayidx = getelementptr inbounds [2 x i8], ptr %3, i64 %idxprom
  %5 = load i32, ptr %k, align 4
  %idxprom7 = sext i32 %5 to i64
  %arrayidx8 = getelementptr inbounds [2 x i8], ptr %arrayidx, i64 0, i64 %idxprom7
  %6 = load i8, ptr %arrayidx8, align 1
  %conv = zext i8 %6 to i32
  %7 = load ptr, ptr %b.addr, align 8
  %8 = load i32, ptr %k, align 4
  %idxprom9 = sext i32 %8 to i64
  %arrayidx10 = getelementptr inbounds [2 x i8], ptr %7, i64 %idxprom9
  %9 = load i32, ptr %j, align 4
  %idxprom11 = sext i32 %9 to i64
  %arrayidx12 = getelementptr inbounds [2 x i8], ptr %arrayidx10, i64 0, i64 %idxprom11
  %10 = load i8, ptr %arrayidx12, align 1
  %conv13 = zext i8 %10 to i32
  %mul = mul nsw i32 %conv, %conv13
  %11 = load i8, ptr %sum, align 1
  %conv14 = zext i8 %11 to i32
  %add = add nsw i32 %conv14, %mul
  %conv15 = trunc i32 %add to i8
  store i8 %conv15, ptr %sum, align 1
  br label %for.inc

for.inc:
  %12 = load i32, ptr %k, align 4
  %inc = add nsw i32 %12, 1
  store i32 %inc, ptr %k, align 4
  br label %for.cond4, !llvm.loop !0

for.end:
  %13 = load i8, ptr %sum, align 1
  %14 = load ptr, ptr %c.addr, align 8
  %15 = load i32, ptr %i, align 4
  %idxprom16 = sext i32 %15 to i64
  %arrayidx17 = getelementptr inbounds [2 x i8], ptr %14, i64 %idxprom16
  %16 = load i32, ptr %j, align 4
  %idxprom18 = sext i32 %16 to i64
  %arrayidx19 = getelementptr inbounds [2 x i8], ptr %arrayidx17, i64 0, i64 %idxprom18
  store i8 %13, ptr %arrayidx19, align 1
  br label %for.inc20

for.inc20:
  %17 = load i32, ptr %j, align 4
  %inc21 = add nsw i32 %17, 1
  store i32 %inc21, ptr %j, align 4
  br label %for.cond1, !llvm.loop !2

for.end22:
  br label %for.inc23

for.inc23:
  %18 = load i32, ptr %i, align 4
  %inc24 = add nsw i32 %18, 1
  store i32 %inc24, ptr %i, align 4
  br label %for.cond, !llvm.loop !3

for.end25:
  %19 = load ptr, ptr %c.addr, align 8
  %arrayidx26 = getelementptr inbounds [2 x i8], ptr %19, i64 0
  %arrayidx27 = getelementptr inbounds [2 x i8], ptr %arrayidx26, i64 0, i64 0
  %20 = load i8, ptr %arrayidx27, align 1
  %conv28 = zext i8 %20 to i32
  %21 = load ptr, ptr %c.addr, align 8
  %arrayidx29 = getelementptr inbounds [2 x i8], ptr %21, i64 1
  %arrayidx30 = getelementptr inbounds [2 x i8], ptr %arrayidx29, i64 0, i64 1
  %22 = load i8, ptr %arrayidx30, align 1
  %conv31 = zext i8 %22 to i32
  %add32 = add nsw i32 %conv28, %conv31
  ret i32 %add32
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
