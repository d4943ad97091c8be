; The first half of the iterations does one thing, the second another.
;
; void split(int *a, int m, int n) {
;   for (int i = 0; i < n; i++) {
;     if (i < m)
;       a[i] += 3;
;     else
;       a[i] = a[i] * 5;
;   }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @split(ptr noundef %a, i32 noundef %m, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %cmp1 = icmp slt i32 %i.0, %m
  br i1 %cmp1, label %if.then, label %if.else

if.then:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %0, 3
  store i32 %add, ptr %arrayidx, align 4
  br label %if.end

if.else:
  %idxprom2 = sext i32 %i.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %a, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %mul = mul nsw i32 %1, 5
  %idxprom4 = sext i32 %i.0 to i64
  %arrayidx5 = getelementptr inbounds i32, ptr %a, i64 %idxprom4
  store i32 %mul, ptr %arrayidx5, align 4
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
