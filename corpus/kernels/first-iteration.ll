; The first iteration alone is different.
;
; void first_iteration(int *restrict a, const int *restrict b, int n) {
;   for (int i = 0; i < n; i++) {
;     if (i == 0)
;       a[i] = b[i];
;     else
;       a[i] = b[i] - b[i - 1];
;   }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @first_iteration(ptr noalias noundef %a, ptr noalias noundef %b, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %cmp1 = icmp eq i32 %i.0, 0
  br i1 %cmp1, label %if.then, label %if.else

if.then:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %b, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom2 = sext i32 %i.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %a, i64 %idxprom2
  store i32 %0, ptr %arrayidx3, align 4
  br label %if.end

if.else:
  %idxprom4 = sext i32 %i.0 to i64
  %arrayidx5 = getelementptr inbounds i32, ptr %b, i64 %idxprom4
  %1 = load i32, ptr %arrayidx5, align 4
  %sub = sub nsw i32 %i.0, 1
  %idxprom6 = sext i32 %sub to i64
  %arrayidx7 = getelementptr inbounds i32, ptr %b, i64 %idxprom6
  %2 = load i32, ptr %arrayidx7, align 4
  %sub8 = sub nsw i32 %1, %2
  %idxprom9 = sext i32 %i.0 to i64
  %arrayidx10 = getelementptr inbounds i32, ptr %a, i64 %idxprom9
  store i32 %sub8, ptr %arrayidx10, align 4
  br label %if.end

if.end:
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
