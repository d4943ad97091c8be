; Matrix transpose, as clang -O0 and mem2reg leaves it: transposes an n by n matrix of bytes in place,
; n at most 4 (rows are 4 bytes apart).
;
; C source: matrix-transpose.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @matrix_transpose(ptr noundef %m, i32 noundef %n) #0 {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc19, %for.inc18 ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end20

for.body:
  %add = add nsw i32 %i.0, 1
  br label %for.cond1

for.cond1:
  %j.0 = phi i32 [ %add, %for.body ], [ %inc, %for.inc ]
  %cmp2 = icmp slt i32 %j.0, %n
  br i1 %cmp2, label %for.body3, label %for.end

for.body3:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds [4 x i8], ptr %m, i64 %idxprom
  %idxprom4 = sext i32 %j.0 to i64
  %arrayidx5 = getelementptr inbounds [4 x i8], ptr %arrayidx, i64 0, i64 %idxprom4
  %0 = load i8, ptr %arrayidx5, align 1
  %idxprom6 = sext i32 %j.0 to i64
  %arrayidx7 = getelementptr inbounds [4 x i8], ptr %m, i64 %idxprom6
  %idxprom8 = sext i32 %i.0 to i64
  %arrayidx9 = getelementptr inbounds [4 x i8], ptr %arrayidx7, i64 0, i64 %idxprom8
  %1 = load i8, ptr %arrayidx9, align 1
  %idxprom10 = sext i32 %i.0 to i64
  %arrayidx11 = getelementptr inbounds [4 x i8], ptr %m, i64 %idxprom10
  %idxprom12 = sext i32 %j.0 to i64
  %arrayidx13 = getelementptr inbounds [4 x i8], ptr %arrayidx11, i64 0, i64 %idxprom12
  store i8 %1, ptr %arrayidx13, align 1
  %idxprom14 = sext i32 %j.0 to i64
  %arrayidx15 = getelementptr inbounds [4 x i8], ptr %m, i64 %idxprom14
  %idxprom16 = sext i32 %i.0 to i64
  %arrayidx17 = getelementptr inbounds [4 x i8], ptr %arrayidx15, i64 0, i64 %idxprom16
  store i8 %0, ptr %arrayidx17, align 1
  br label %for.inc

for.inc:
  %inc = add nsw i32 %j.0, 1
  br label %for.cond1, !llvm.loop !0

for.end:
  br label %for.inc18

for.inc18:
  %inc19 = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !2

for.end20:
  %arrayidx21 = getelementptr inbounds [4 x i8], ptr %m, i64 1
  %arrayidx22 = getelementptr inbounds [4 x i8], ptr %arrayidx21, i64 0, i64 0
  %2 = load i8, ptr %arrayidx22, align 1
  %conv = zext i8 %2 to i32
  ret i32 %conv
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
