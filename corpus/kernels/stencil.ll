; Each element becomes the sum of its neighbours.
;
; void stencil(int *restrict a, const int *restrict b, int n) {
;   for (int i = 1; i < n - 1; i++)
;     a[i] = b[i - 1] + 2 * b[i] + b[i + 1];
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @stencil(ptr noalias noundef %a, ptr noalias noundef %b, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %sub = sub nsw i32 %n, 1
  %cmp = icmp slt i32 %i.0, %sub
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %sub1 = sub nsw i32 %i.0, 1
  %idxprom = sext i32 %sub1 to i64
  %arrayidx = getelementptr inbounds i32, ptr %b, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom2 = sext i32 %i.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %b, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %mul = mul nsw i32 2, %1
  %add = add nsw i32 %0, %mul
  %add4 = add nsw i32 %i.0, 1
  %idxprom5 = sext i32 %add4 to i64
  %arrayidx6 = getelementptr inbounds i32, ptr %b, i64 %idxprom5
  %2 = load i32, ptr %arrayidx6, align 4
  %add7 = add nsw i32 %add, %2
  %idxprom8 = sext i32 %i.0 to i64
  %arrayidx9 = getelementptr inbounds i32, ptr %a, i64 %idxprom8
  store i32 %add7, ptr %arrayidx9, align 4
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
