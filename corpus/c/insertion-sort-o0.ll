; Insertion sort, as clang -O0 leaves it: sorts n bytes in place, by insertion.
;
; C source: insertion-sort.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local void @insertion_sort(ptr noundef %a, i32 noundef %n) #0 {
entry:
  %a.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %key = alloca i8, align 1
  %j = alloca i32, align 4
  store ptr %a, ptr %a.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 1, ptr %i, align 4
  br label %for.cond

for.cond:
  %0 = load i32, ptr %i, align 4
  %1 = load i32, ptr %n.addr, align 4
  %cmp = icmp slt i32 %0, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %2 = load ptr, ptr %a.addr, align 8
  %3 = load i32, ptr %i, align 4
  %idxprom = sext i32 %3 to i64
  %arrayidx = getelementptr inbounds i8, ptr %2, i64 %idxprom
  %4 = load i8, ptr %arrayidx, align 1
  store i8 %4, ptr %key, align 1
  %5 = load i32, ptr %i, align 4
  %sub = sub nsw i32 %5, 1
  store i32 %sub, ptr %j, align 4
  br label %while.cond

while.cond:
  %6 = load i32, ptr %j, align 4
  %cmp1 = icmp sge i32 %6, 0
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:
  %7 = load ptr, ptr %a.addr, align 8
  %8 = load i32, ptr %j, align 4
  %idxprom2 = sext i32 %8 to i64
  %arrayidx3 = getelementptr inbounds i8, ptr %7, i64 %idxprom2
  %9 = load i8, ptr %arrayidx3, align 1
  %conv = zext i8 %9 to i32
  %10 = load i8, ptr %key, align 1
  %conv4 = zext i8 %10 to i32
  %cmp5 = icmp sgt i32 %conv, %conv4
  br label %land.end

land.end:
  %11 = phi i1 [ false, %while.cond ], [ %cmp5, %land.rhs ]
  br i1 %11, label %while.body, label %while.end

while.body:
  %12 = load ptr, ptr %a.addr, align 8
  %13 = load i32, ptr %j, align 4
  %idxprom7 = sext i32 %13 to i64
  %arrayidx8 = getelementptr inbounds i8, ptr %12, i64 %idxprom7
  %14 = load i8, ptr %arrayidx8, align 1
  %15 = load ptr, ptr %a.addr, align 8
  %16 = load i32, ptr %j, align 4
  %add = add nsw i32 %16, 1
  %idxprom9 = sext i32 %add to i64
  %arrayidx10 = getelementptr inbounds i8, ptr %15, i64 %idxprom9
  store i8 %14, ptr %arrayidx10, align 1
  %17 = load i32, ptr %j, align 4
  %dec = add nsw i32 %17, -1
  store i32 %dec, ptr %j, align 4
  br label %while.cond, !llvm.loop !0

while.end:
  %18 = load i8, ptr %key, align 1
  %19 = load ptr, ptr %a.addr, align 8
  %20 = load i32, ptr %j, align 4
  %add11 = add nsw i32 %20, 1
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds i8, ptr %19, i64 %idxprom12
  store i8 %18, ptr %arrayidx13, align 1
  br label %for.inc

for.inc:
  %21 = load i32, ptr %i, align 4
  %inc = add nsw i32 %21, 1
  store i32 %inc, ptr %i, align 4
  br label %for.cond, !llvm.loop !2

for.end:
  ret void
}

define dso_local i32 @first4(ptr noundef %a, i32 noundef %n) #0 {
entry:
  %a.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  store ptr %a, ptr %a.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %0 = load ptr, ptr %a.addr, align 8
  %1 = load i32, ptr %n.addr, align 4
  call void @insertion_sort(ptr noundef %0, i32 noundef %1) #1
  %2 = load ptr, ptr %a.addr, align 8
  %arrayidx = getelementptr inbounds i8, ptr %2, i64 0
  %3 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %3 to i32
  %4 = load ptr, ptr %a.addr, align 8
  %arrayidx1 = getelementptr inbounds i8, ptr %4, i64 1
  %5 = load i8, ptr %arrayidx1, align 1
  %conv2 = zext i8 %5 to i32
  %shl = shl i32 %conv2, 8
  %or = or i32 %conv, %shl
  %6 = load ptr, ptr %a.addr, align 8
  %arrayidx3 = getelementptr inbounds i8, ptr %6, i64 2
  %7 = load i8, ptr %arrayidx3, align 1
  %conv4 = zext i8 %7 to i32
  %shl5 = shl i32 %conv4, 16
  %or6 = or i32 %or, %shl5
  %8 = load ptr, ptr %a.addr, align 8
  %arrayidx7 = getelementptr inbounds i8, ptr %8, i64 3
  %9 = load i8, ptr %arrayidx7, align 1
  %conv8 = zext i8 %9 to i32
  %shl9 = shl i32 %conv8, 24
  %or10 = or i32 %or6, %shl9
  ret i32 %or10
}

attributes #0 = { noinline nounwind }
attributes #1 = { nobuiltin }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
