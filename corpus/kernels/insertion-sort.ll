; Insertion sort: the inner loop has two exits.
;
; void insertion_sort(int *a, int n) {
;   for (int i = 1; i < n; i++) {
;     int x = a[i];
;     int j = i - 1;
;     while (j >= 0 && a[j] > x) {
;       a[j + 1] = a[j];
;       j--;
;     }
;     a[j + 1] = x;
;   }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @insertion_sort(ptr noundef %a, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %sub = sub nsw i32 %i.0, 1
  br label %while.cond

while.cond:
  %j.0 = phi i32 [ %sub, %for.body ], [ %dec, %while.body ]
  %cmp1 = icmp sge i32 %j.0, 0
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:
  %idxprom2 = sext i32 %j.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %a, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp sgt i32 %1, %0
  br label %land.end

land.end:
  %2 = phi i1 [ false, %while.cond ], [ %cmp4, %land.rhs ]
  br i1 %2, label %while.body, label %while.end

while.body:
  %idxprom5 = sext i32 %j.0 to i64
  %arrayidx6 = getelementptr inbounds i32, ptr %a, i64 %idxprom5
  %3 = load i32, ptr %arrayidx6, align 4
  %add = add nsw i32 %j.0, 1
  %idxprom7 = sext i32 %add to i64
  %arrayidx8 = getelementptr inbounds i32, ptr %a, i64 %idxprom7
  store i32 %3, ptr %arrayidx8, align 4
  %dec = add nsw i32 %j.0, -1
  br label %while.cond, !llvm.loop !0

while.end:
  %add9 = add nsw i32 %j.0, 1
  %idxprom10 = sext i32 %add9 to i64
  %arrayidx11 = getelementptr inbounds i32, ptr %a, i64 %idxprom10
  store i32 %0, ptr %arrayidx11, align 4
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !1

for.end:
  ret void
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
