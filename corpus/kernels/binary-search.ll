; Binary search, 12 times.
;
; int binary_search(const int *a, int n, const int *keys, int m) {
;   int found = 0;
;   for (int k = 0; k < m; k++) {
;     int low = 0, high = n;
;     while (low < high) {
;       int mid = low + (high - low) / 2;
;       if (a[mid] < keys[k])
;         low = mid + 1;
;       else
;         high = mid;
;     }
;     if (low < n && a[low] == keys[k])
;       found++;
;   }
;   return found;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @binary_search(ptr noundef %a, i32 noundef %n, ptr noundef %keys, i32 noundef %m) nounwind {
entry:
  br label %for.cond

for.cond:
  %found.0 = phi i32 [ 0, %entry ], [ %found.1, %for.inc ]
  %k.0 = phi i32 [ 0, %entry ], [ %inc14, %for.inc ]
  %cmp = icmp slt i32 %k.0, %m
  br i1 %cmp, label %for.body, label %for.end

for.body:
  br label %while.cond

while.cond:
  %low.0 = phi i32 [ 0, %for.body ], [ %low.1, %if.end ]
  %high.0 = phi i32 [ %n, %for.body ], [ %high.1, %if.end ]
  %cmp1 = icmp slt i32 %low.0, %high.0
  br i1 %cmp1, label %while.body, label %while.end

while.body:
  %sub = sub nsw i32 %high.0, %low.0
  %div = sdiv i32 %sub, 2
  %add = add nsw i32 %low.0, %div
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom2 = sext i32 %k.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %keys, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp slt i32 %0, %1
  br i1 %cmp4, label %if.then, label %if.else

if.then:
  %add5 = add nsw i32 %add, 1
  br label %if.end

if.else:
  br label %if.end

if.end:
  %low.1 = phi i32 [ %add5, %if.then ], [ %low.0, %if.else ]
  %high.1 = phi i32 [ %high.0, %if.then ], [ %add, %if.else ]
  br label %while.cond, !llvm.loop !0

while.end:
  %cmp6 = icmp slt i32 %low.0, %n
  br i1 %cmp6, label %land.lhs.true, label %if.end13

land.lhs.true:
  %idxprom7 = sext i32 %low.0 to i64
  %arrayidx8 = getelementptr inbounds i32, ptr %a, i64 %idxprom7
  %2 = load i32, ptr %arrayidx8, align 4
  %idxprom9 = sext i32 %k.0 to i64
  %arrayidx10 = getelementptr inbounds i32, ptr %keys, i64 %idxprom9
  %3 = load i32, ptr %arrayidx10, align 4
  %cmp11 = icmp eq i32 %2, %3
  br i1 %cmp11, label %if.then12, label %if.end13

if.then12:
  %inc = add nsw i32 %found.0, 1
  br label %if.end13

if.end13:
  %found.1 = phi i32 [ %inc, %if.then12 ], [ %found.0, %land.lhs.true ], [ %found.0, %while.end ]
  br label %for.inc

for.inc:
  %inc14 = add nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !1

for.end:
  ret i32 %found.0
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
