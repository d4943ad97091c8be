; Reverses an array in place: two counters meet.
;
; void reverse(int *a, int n) {
;   int i = 0, j = n - 1;
;   while (i < j) {
;     int x = a[i];
;     a[i] = a[j];
;     a[j] = x;
;     i++;
;     j--;
;   }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @reverse(ptr noundef %a, i32 noundef %n) nounwind {
entry:
  %sub = sub nsw i32 %n, 1
  br label %while.cond

while.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %while.body ]
  %j.0 = phi i32 [ %sub, %entry ], [ %dec, %while.body ]
  %cmp = icmp slt i32 %i.0, %j.0
  br i1 %cmp, label %while.body, label %while.end

while.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom1 = sext i32 %j.0 to i64
  %arrayidx2 = getelementptr inbounds i32, ptr %a, i64 %idxprom1
  %1 = load i32, ptr %arrayidx2, align 4
  %idxprom3 = sext i32 %i.0 to i64
  %arrayidx4 = getelementptr inbounds i32, ptr %a, i64 %idxprom3
  store i32 %1, ptr %arrayidx4, align 4
  %idxprom5 = sext i32 %j.0 to i64
  %arrayidx6 = getelementptr inbounds i32, ptr %a, i64 %idxprom5
  store i32 %0, ptr %arrayidx6, align 4
  %inc = add nsw i32 %i.0, 1
  %dec = add nsw i32 %j.0, -1
  br label %while.cond, !llvm.loop !0

while.end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
