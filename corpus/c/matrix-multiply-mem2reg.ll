; Matrix multiply, as clang -O0 and mem2reg leaves it: c = a * b for 2x2 matrices of bytes, computed
; modulo 256.
;
; C source: matrix-multiply.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @matrix_multiply(ptr noundef %c, ptr noundef %a, ptr noundef %b) #0 {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc24, %for.inc23 ]
  %cmp = icmp slt i32 %i.0, 2
  br i1 %cmp, label %for.body, label %for.end25

for.body:
  br label %for.cond1

for.cond1:
  %j.0 = phi i32 [ 0, %for.body ], [ %inc21, %for.inc20 ]
  %cmp2 = icmp slt i32 %j.0, 2
  br i1 %cmp2, label %for.body3, label %for.end22

for.body3:
  br label %for.cond4

for.cond4:
  %sum.0 = phi i8 [ 0, %for.body3 ], [ %conv15, %for.inc ]
  %k.0 = phi i32 [ 0, %for.body3 ], [ %inc, %for.inc ]
  %cmp5 = icmp slt i32 %k.0, 2
  br i1 %cmp5, label %for.body6, label %for.end

for.body6:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds [2 x i8], ptr %a, i64 %idxprom
  %idxprom7 = sext i32 %k.0 to i64
  %arrayidx8 = getelementptr inbounds [2 x i8], ptr %arrayidx, i64 0, i64 %idxprom7
  %0 = load i8, ptr %arrayidx8, align 1
  %conv = zext i8 %0 to i32
  %idxprom9 = sext i32 %k.0 to i64
  %arrayidx10 = getelementptr inbounds [2 x i8], ptr %b, i64 %idxprom9
  %idxprom11 = sext i32 %j.0 to i64
  %arrayidx12 = getelementptr inbounds [2 x i8], ptr %arrayidx10, i64 0, i64 %idxprom11
  %1 = load i8, ptr %arrayidx12, align 1
  %conv13 = zext i8 %1 to i32
  %mul = mul nsw i32 %conv, %conv13
  %conv14 = zext i8 %sum.0 to i32
  %add = add nsw i32 %conv14, %mul
  %conv15 = trunc i32 %add to i8
  br label %for.inc

for.inc:
  %inc = add nsw i32 %k.0, 1
  br label %for.cond4, !llvm.loop !0

for.end:
  %idxprom16 = sext i32 %i.0 to i64
  %arrayidx17 = getelementptr inbounds [2 x i8], ptr %c, i64 %idxprom16
  %idxprom18 = sext i32 %j.0 to i64
  %arrayidx19 = getelementptr inbounds [2 x i8], ptr %arrayidx17, i64 0, i64 %idxprom18
  store i8 %sum.0, ptr %arrayidx19, align 1
  br label %for.inc20

for.inc20:
  %inc21 = add nsw i32 %j.0, 1
  br label %for.cond1, !llvm.loop !2

for.end22:
  br label %for.inc23

for.inc23:
  %inc24 = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !3

for.end25:
  %arrayidx26 = getelementptr inbounds [2 x i8], ptr %c, i64 0
  %arrayidx27 = getelementptr inbounds [2 x i8], ptr %arrayidx26, i64 0, i64 0
  %2 = load i8, ptr %arrayidx27, align 1
  %conv28 = zext i8 %2 to i32
  %arrayidx29 = getelementptr inbounds [2 x i8], ptr %c, i64 1
  %arrayidx30 = getelementptr inbounds [2 x i8], ptr %arrayidx29, i64 0, i64 1
  %3 = load i8, ptr %arrayidx30, align 1
  %conv31 = zext i8 %3 to i32
  %add32 = add nsw i32 %conv28, %conv31
  ret i32 %add32
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
