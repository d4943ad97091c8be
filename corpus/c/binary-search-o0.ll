; Binary search, as clang -O0 leaves it: the index of key among n sorted ints, or -1.
;
; C source: binary-search.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @binary_search(ptr noundef %a, i32 noundef %n, i32 noundef %key) #0 {
entry:
  %retval = alloca i32, align 4
  %a.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %key.addr = alloca i32, align 4
  %lo = alloca i32, align 4
  %hi = alloca i32, align 4
  %mid = alloca i32, align 4
  store ptr %a, ptr %a.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 %key, ptr %key.addr, align 4
  store i32 0, ptr %lo, align 4
  %0 = load i32, ptr %n.addr, align 4
  %sub = sub nsw i32 %0, 1
  store i32 %sub, ptr %hi, align 4
  br label %while.cond

while.cond:
  %1 = load i32, ptr %lo, align 4
  %2 = load i32, ptr %hi, align 4
  %cmp = icmp sle i32 %1, %2
  br i1 %cmp, label %while.body, label %while.end

while.body:
  %3 = load i32, ptr %lo, align 4
  %4 = load i32, ptr %hi, align 4
  %5 = load i32, ptr %lo, align 4
  %sub1 = sub nsw i32 %4, %5
  %div = sdiv i32 %sub1, 2
  %add = add nsw i32 %3, %div
  store i32 %add, ptr %mid, align 4
  %6 = load ptr, ptr %a.addr, align 8
  %7 = load i32, ptr %mid, align 4
  %idxprom = sext i32 %7 to i64
  %arrayidx = getelementptr inbounds i32, ptr %6, i64 %idxprom
  %8 = load i32, ptr %arrayidx, align 4
  %9 = load i32, ptr %key.addr, align 4
  %cmp2 = icmp eq i32 %8, %9
  br i1 %cmp2, label %if.then, label %if.end

if.then:
  %10 = load i32, ptr %mid, align 4
  store i32 %10, ptr %retval, align 4
  br label %return

if.end:
  %11 = load ptr, ptr %a.addr, align 8
  %12 = load i32, ptr %mid, align 4
  %idxprom3 = sext i32 %12 to i64
  %arrayidx4 = getelementptr inbounds i32, ptr %11, i64 %idxprom3
  %13 = load i32, ptr %arrayidx4, align 4
  %14 = load i32, ptr %key.addr, align 4
  %cmp5 = icmp slt i32 %13, %14
  br i1 %cmp5, label %if.then6, label %if.else

if.then6:
  %15 = load i32, ptr %mid, align 4
  %add7 = add nsw i32 %15, 1
  store i32 %add7, ptr %lo, align 4
  br label %if.end9

if.else:
  %16 = load i32, ptr %mid, align 4
  %sub8 = sub nsw i32 %16, 1
  store i32 %sub8, ptr %hi, align 4
  br label %if.end9

if.end9:
  br label %while.cond, !llvm.loop !0

while.end:
  store i32 -1, ptr %retval, align 4
  br label %return

return:
  %17 = load i32, ptr %retval, align 4
  ret i32 %17
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
