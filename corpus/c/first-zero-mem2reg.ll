; First zero, as clang -O0 and mem2reg leaves it: row * 2 + column of the first element of a matrix of
; n rows and 2 columns that is zero.
;
; C source: first-zero.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @first_zero(ptr noundef %m, i32 noundef %n) #0 {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc8, %for.inc7 ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end9

for.body:
  br label %for.cond1

for.cond1:
  %j.0 = phi i32 [ 0, %for.body ], [ %inc, %for.inc ]
  %cmp2 = icmp slt i32 %j.0, 2
  br i1 %cmp2, label %for.body3, label %for.end

for.body3:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds [2 x i32], ptr %m, i64 %idxprom
  %idxprom4 = sext i32 %j.0 to i64
  %arrayidx5 = getelementptr inbounds [2 x i32], ptr %arrayidx, i64 0, i64 %idxprom4
  %0 = load i32, ptr %arrayidx5, align 4
  %cmp6 = icmp eq i32 %0, 0
  br i1 %cmp6, label %if.then, label %if.end

if.then:
  br label %found

if.end:
  br label %for.inc

for.inc:
  %inc = add nsw i32 %j.0, 1
  br label %for.cond1, !llvm.loop !0

for.end:
  br label %for.inc7

for.inc7:
  %inc8 = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !2

for.end9:
  br label %return

found:
  %mul = mul nsw i32 %i.0, 2
  %add = add nsw i32 %mul, %j.0
  br label %return

return:
  %retval.0 = phi i32 [ %add, %found ], [ -1, %for.end9 ]
  ret i32 %retval.0
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
