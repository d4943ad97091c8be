; Run length, as clang -O0 leaves it: writes (count, byte) pairs for the runs of n input bytes.
;
; C source: run-length.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @run_length(ptr noundef %out, ptr noundef %in, i32 noundef %n) #0 {
entry:
  %out.addr = alloca ptr, align 8
  %in.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %o = alloca i32, align 4
  %i = alloca i32, align 4
  %b = alloca i8, align 1
  %run = alloca i32, align 4
  store ptr %out, ptr %out.addr, align 8
  store ptr %in, ptr %in.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %o, align 4
  store i32 0, ptr %i, align 4
  br label %while.cond

while.cond:
  %0 = load i32, ptr %i, align 4
  %1 = load i32, ptr %n.addr, align 4
  %cmp = icmp slt i32 %0, %1
  br i1 %cmp, label %while.body, label %while.end20

while.body:
  %2 = load ptr, ptr %in.addr, align 8
  %3 = load i32, ptr %i, align 4
  %idxprom = sext i32 %3 to i64
  %arrayidx = getelementptr inbounds i8, ptr %2, i64 %idxprom
  %4 = load i8, ptr %arrayidx, align 1
  store i8 %4, ptr %b, align 1
  store i32 1, ptr %run, align 4
  br label %while.cond1

while.cond1:
  %5 = load i32, ptr %i, align 4
  %6 = load i32, ptr %run, align 4
  %add = add nsw i32 %5, %6
  %7 = load i32, ptr %n.addr, align 4
  %cmp2 = icmp slt i32 %add, %7
  br i1 %cmp2, label %land.lhs.true, label %land.end

land.lhs.true:
  %8 = load ptr, ptr %in.addr, align 8
  %9 = load i32, ptr %i, align 4
  %10 = load i32, ptr %run, align 4
  %add3 = add nsw i32 %9, %10
  %idxprom4 = sext i32 %add3 to i64
  %arrayidx5 = getelementptr inbounds i8, ptr %8, i64 %idxprom4
  %11 = load i8, ptr %arrayidx5, align 1
  %conv = zext i8 %11 to i32
  %12 = load i8, ptr %b, align 1
  %conv6 = zext i8 %12 to i32
  %cmp7 = icmp eq i32 %conv, %conv6
  br i1 %cmp7, label %land.rhs, label %land.end

land.rhs:
  %13 = load i32, ptr %run, align 4
  %cmp9 = icmp slt i32 %13, 255
  br label %land.end

land.end:
  %14 = phi i1 [ false, %land.lhs.true ], [ false, %while.cond1 ], [ %cmp9, %land.rhs ]
  br i1 %14, label %while.body11, label %while.end

while.body11:
  %15 = load i32, ptr %run, align 4
  %inc = add nsw i32 %15, 1
  store i32 %inc, ptr %run, align 4
  br label %while.cond1, !llvm.loop !0

while.end:
  %16 = load i32, ptr %run, align 4
  %conv12 = trunc i32 %16 to i8
  %17 = load ptr, ptr %out.addr, align 8
  %18 = load i32, ptr %o, align 4
  %inc13 = add nsw i32 %18, 1
  store i32 %inc13, ptr %o, align 4
  %idxprom14 = sext i32 %18 to i64
  %arrayidx15 = getelementptr inbounds i8, ptr %17, i64 %idxprom14
  store i8 %conv12, ptr %arrayidx15, align 1
  %19 = load i8, ptr %b, align 1
  %20 = load ptr, ptr %out.addr, align 8
  %21 = load i32, ptr %o, align 4
  %inc16 = add nsw i32 %21, 1
  store i32 %inc16, ptr %o, align 4
  %idxprom17 = sext i32 %21 to i64
  %arrayidx18 = getelementptr inbounds i8, ptr %20, i64 %idxprom17
  store i8 %19, ptr %arrayidx18, align 1
  %22 = load i32, ptr %run, align 4
  %23 = load i32, ptr %i, align 4
  %add19 = add nsw i32 %23, %22
  store i32 %add19, ptr %i, align 4
  br label %while.cond, !llvm.loop !2

while.end20:
  %24 = load i32, ptr %o, align 4
  ret i32 %24
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
