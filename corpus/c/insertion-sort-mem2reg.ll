; Insertion sort, as clang -O0 and mem2reg leaves it: sorts n bytes in place, by insertion.
;
; C source: insertion-sort.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local void @insertion_sort(ptr noundef %a, i32 noundef %n) #0 {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i8, ptr %a, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %sub = sub nsw i32 %i.0, 1
  br label %while.cond

while.cond:
  %j.0 = phi i32 [ %sub, %for.body ], [ %dec, %while.body ]
  %cmp1 = icmp sge i32 %j.0, 0
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:
  %idxprom2 = sext i32 %j.0 to i64
  %arrayidx3 = getelementptr inbounds i8, ptr %a, i64 %idxprom2
  %1 = load i8, ptr %arrayidx3, align 1
  %conv = zext i8 %1 to i32
  %conv4 = zext i8 %0 to i32
  %cmp5 = icmp sgt i32 %conv, %conv4
  br label %land.end

land.end:
  %2 = phi i1 [ false, %while.cond ], [ %cmp5, %land.rhs ]
  br i1 %2, label %while.body, label %while.end

while.body:
  %idxprom7 = sext i32 %j.0 to i64
  %arrayidx8 = getelementptr inbounds i8, ptr %a, i64 %idxprom7
  %3 = load i8, ptr %arrayidx8, align 1
  %add = add nsw i32 %j.0, 1
  %idxprom9 = sext i32 %add to i64
  %arrayidx10 = getelementptr inbounds i8, ptr %a, i64 %idxprom9
  store i8 %3, ptr %arrayidx10, align 1
  %dec = add nsw i32 %j.0, -1
  br label %while.cond, !llvm.loop !0

while.end:
  %add11 = add nsw i32 %j.0, 1
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds i8, ptr %a, i64 %idxprom12
  store i8 %0, ptr %arrayidx13, align 1
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !2

for.end:
  ret void
}

define dso_local i32 @first4(ptr noundef %a, i32 noundef %n) #0 {
entry:
  call void @insertion_sort(ptr noundef %a, i32 noundef %n) #1
  %arrayidx = getelementptr inbounds i8, ptr %a, i64 0
  %0 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %0 to i32
  %arrayidx1 = getelementptr inbounds i8, ptr %a, i64 1
  %1 = load i8, ptr %arrayidx1, align 1
  %conv2 = zext i8 %1 to i32
  %shl = shl i32 %conv2, 8
  %or = or i32 %conv, %shl
  %arrayidx3 = getelementptr inbounds i8, ptr %a, i64 2
  %2 = load i8, ptr %arrayidx3, align 1
  %conv4 = zext i8 %2 to i32
  %shl5 = shl i32 %conv4, 16
  %or6 = or i32 %or, %shl5
  %arrayidx7 = getelementptr inbounds i8, ptr %a, i64 3
  %3 = load i8, ptr %arrayidx7, align 1
  %conv8 = zext i8 %3 to i32
  %shl9 = shl i32 %conv8, 24
  %or10 = or i32 %or6, %shl9
  ret i32 %or10
}

attributes #0 = { noinline nounwind }
attributes #1 = { nobuiltin }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
