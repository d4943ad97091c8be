; Find substring, as clang -O0 leaves it: the place of the first occurrence of needle in text, or -1.
;
; C source: find-substring.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @find_substring(ptr noundef %text, ptr noundef %needle) #0 {
entry:
  %retval = alloca i32, align 4
  %text.addr = alloca ptr, align 8
  %needle.addr = alloca ptr, align 8
  %i = alloca i32, align 4
  %j = alloca i32, align 4
  store ptr %text, ptr %text.addr, align 8
  store ptr %needle, ptr %needle.addr, align 8
  store i32 0, ptr %i, align 4
  br label %for.cond

for.cond:
  store i32 0, ptr %j, align 4
  br label %while.cond

while.cond:
  %0 = load ptr, ptr %needle.addr, align 8
  %1 = load i32, ptr %j, align 4
  %idxprom = sext i32 %1 to i64
  %arrayidx = getelementptr inbounds i8, ptr %0, i64 %idxprom
  %2 = load i8, ptr %arrayidx, align 1
  %conv = sext i8 %2 to i32
  %tobool = icmp ne i32 %conv, 0
  br i1 %tobool, label %land.rhs, label %land.end

land.rhs:
  %3 = load ptr, ptr %text.addr, align 8
  %4 = load i32, ptr %i, align 4
  %5 = load i32, ptr %j, align 4
  %add = add nsw i32 %4, %5
  %idxprom1 = sext i32 %add to i64
  %arrayidx2 = getelementptr inbounds i8, ptr %3, i64 %idxprom1
  %6 = load i8, ptr %arrayidx2, align 1
  %conv3 = sext i8 %6 to i32
  %7 = load ptr, ptr %needle.addr, align 8
  %8 = load i32, ptr %j, align 4
  %idxprom4 = sext i32 %8 to i64
  %arrayidx5 = getelementptr inbounds i8, ptr %7, i64 %idxprom4
  %9 = load i8, ptr %arrayidx5, align 1
  %conv6 = sext i8 %9 to i32
  %cmp = icmp eq i32 %conv3, %conv6
  br label %land.end

land.end:
  %10 = phi i1 [ false, %while.cond ], [ %cmp, %land.rhs ]
  br i1 %10, label %while.body, label %while.end

while.body:
  %11 = load i32, ptr %j, align 4
  %inc = add nsw i32 %11, 1
  store i32 %inc, ptr %j, align 4
  br label %while.cond, !llvm.loop !0

while.end:
  %12 = load ptr, ptr %needle.addr, align 8
  %13 = load i32, ptr %j, align 4
  %idxprom8 = sext i32 %13 to i64
  %arrayidx9 = getelementptr inbounds i8, ptr %12, i64 %idxprom8
  %14 = load i8, ptr %arrayidx9, align 1
  %tobool10 = icmp ne i8 %14, 0
  br i1 %tobool10, label %if.end, label %if.then

if.then:
  %15 = load i32, ptr %i, align 4
  store i32 %15, ptr %retval, align 4
  br label %return

if.end:
  %16 = load ptr, ptr %text.addr, align 8
  %17 = load i32, ptr %i, align 4
  %18 = load i32, ptr %j, align 4
  %add11 = add nsw i32 %17, %18
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds i8, ptr %16, i64 %idxprom12
  %19 = load i8, ptr %arrayidx13, align 1
  %tobool14 = icmp ne i8 %19, 0
  br i1 %tobool14, label %if.end16, label %if.then15

if.then15:
  store i32 -1, ptr %retval, align 4
  br label %return

if.end16:
  br label %for.inc

for.inc:
  %20 = load i32, ptr %i, align 4
  %inc17 = add nsw i32 %20, 1
  store i32 %inc17, ptr %i, align 4
  br label %for.cond

return:
  %21 = load i32, ptr %retval, align 4
  ret i32 %21
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
