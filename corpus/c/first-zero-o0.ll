; First zero, as clang -O0 leaves it: row * 2 + column of the first element of a matrix of n rows and
; 2 columns that is zero.
;
; C source: first-zero.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @first_zero(ptr noundef %m, i32 noundef %n) #0 {
entry:
  %retval = alloca i32, align 4
  %m.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %j = alloca i32, align 4
  store ptr %m, ptr %m.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %i, align 4
  br label %for.cond

for.cond:
  %0 = load i32, ptr %i, align 4
  %1 = load i32, ptr %n.addr, align 4
  %cmp = icmp slt i32 %0, %1
  br i1 %cmp, label %for.body, label %for.end9

for.body:
  store i32 0, ptr %j, align 4
  br label %for.cond1

for.cond1:
  %2 = load i32, ptr %j, align 4
  %cmp2 = icmp slt i32 %2, 2
  br i1 %cmp2, label %for.body3, label %for.end

for.body3:
  %3 = load ptr, ptr %m.addr, align 8
  %4 = load i32, ptr %i, align 4
  %idxprom = sext i32 %4 to i64
  %arrayidx = getelementptr inbounds [2 x i32], ptr %3, i64 %idxprom
  %5 = load i32, ptr %j, align 4
  %idxprom4 = sext i32 %5 to i64
  %arrayidx5 = getelementptr inbounds [2 x i32], ptr %arrayidx, i64 0, i64 %idxprom4
  %6 = load i32, ptr %arrayidx5, align 4
  %cmp6 = icmp eq i32 %6, 0
  br i1 %cmp6, label %if.then, label %if.end

if.then:
  br label %found

if.end:
  br label %for.inc

for.inc:
  %7 = load i32, ptr %j, align 4
  %inc = add nsw i32 %7, 1
  store i32 %inc, ptr %j, align 4
  br label %for.cond1, !llvm.loop !0

for.end:
  br label %for.inc7

for.inc7:
  %8 = load i32, ptr %i, align 4
  %inc8 = add nsw i32 %8, 1
  store i32 %inc8, ptr %i, align 4
  br label %for.cond, !llvm.loop !2

for.end9:
  store i32 -1, ptr %retval, align 4
  br label %return

found:
  %9 = load i32, ptr %i, align 4
  %mul = mul nsw i32 %9, 2
  %10 = load i32, ptr %j, align 4
  %add = add nsw i32 %mul, %10
  store i32 %add, ptr %retval, align 4
  br label %return

return:
  %11 = load i32, ptr %retval, align 4
  ret i32 %11
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
