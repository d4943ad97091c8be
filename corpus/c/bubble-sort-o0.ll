; Bubble sort, as clang -O0 leaves it: sorts n ints in place by bubbles and stops when a pass swapped
; nothing.
;
; C source: bubble-sort.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @bubble_sort(ptr noundef %a, i32 noundef %n) #0 {
entry:
  %a.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %swaps = alloca i32, align 4
  %swapped = alloca i32, align 4
  %i = alloca i32, align 4
  %t = alloca i32, align 4
  store ptr %a, ptr %a.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %swaps, align 4
  br label %do.body

do.body:
  store i32 0, ptr %swapped, align 4
  store i32 0, ptr %i, align 4
  br label %for.cond

for.cond:
  %0 = load i32, ptr %i, align 4
  %add = add nsw i32 %0, 1
  %1 = load i32, ptr %n.addr, align 4
  %cmp = icmp slt i32 %add, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %2 = load ptr, ptr %a.addr, align 8
  %3 = load i32, ptr %i, align 4
  %idxprom = sext i32 %3 to i64
  %arrayidx = getelementptr inbounds i32, ptr %2, i64 %idxprom
  %4 = load i32, ptr %arrayidx, align 4
  %5 = load ptr, ptr %a.addr, align 8
  %6 = load i32, ptr %i, align 4
  %add1 = add nsw i32 %6, 1
  %idxprom2 = sext i32 %add1 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %5, i64 %idxprom2
  %7 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp sgt i32 %4, %7
  br i1 %cmp4, label %if.then, label %if.end

if.then:
  %8 = load ptr, ptr %a.addr, align 8
  %9 = load i32, ptr %i, align 4
  %idxprom5 = sext i32 %9 to i64
  %arrayidx6 = getelementptr inbounds i32, ptr %8, i64 %idxprom5
  %10 = load i32, ptr %arrayidx6, align 4
  store i32 %10, ptr %t, align 4
  %11 = load ptr, ptr %a.addr, align 8
  %12 = load i32, ptr %i, align 4
  %add7 = add nsw i32 %12, 1
  %idxprom8 = sext i32 %add7 to i64
  %arrayidx9 = getelementptr inbounds i32, ptr %11, i64 %idxprom8
  %13 = load i32, ptr %arrayidx9, align 4
  %14 = load ptr, ptr %a.addr, align 8
  %15 = load i32, ptr %i, align 4
  %idxprom10 = sext i32 %15 to i64
  %arrayidx11 = getelementptr inbounds i32, ptr %14, i64 %idxprom10
  store i32 %13, ptr %arrayidx11, align 4
  %16 = load i32, ptr %t, align 4
  %17 = load ptr, ptr %a.addr, align 8
  %18 = load i32, ptr %i, align 4
  %add12 = add nsw i32 %18, 1
  %idxprom13 = sext i32 %add12 to i64
  %arrayidx14 = getelementptr inbounds i32, ptr %17, i64 %idxprom13
  store i32 %16, ptr %arrayidx14, align 4
  store i32 1, ptr %swapped, align 4
  %19 = load i32, ptr %swaps, align 4
  %inc = add nsw i32 %19, 1
  store i32 %inc, ptr %swaps, align 4
  br label %if.end

if.end:
  br label %for.inc

for.inc:
  %20 = load i32, ptr %i, align 4
  %inc15 = add nsw i32 %20, 1
  store i32 %inc15, ptr %i, align 4
  br label %for.cond, !llvm.loop !0

for.end:
  br label %do.cond

do.cond:
  %21 = load i32, ptr %swapped, align 4
  %tobool = icmp ne i32 %21, 0
  br i1 %tobool, label %do.body, label %do.end, !llvm.loop !2

do.end:
  %22 = load i32, ptr %swaps, align 4
  ret i32 %22
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
