; Searches a list of pairs; an exit in the middle, none that can be counted.
;
; int linear_search_sentinel(const int *pairs, int key) {
;   int i = 0;
;   while (pairs[2 * i] != -1) {
;     if (pairs[2 * i] == key)
;       return pairs[2 * i + 1];
;     i++;
;   }
;   return 0;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @linear_search_sentinel(ptr noundef %pairs, i32 noundef %key) nounwind {
entry:
  br label %while.cond

while.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %if.end ]
  %mul = mul nsw i32 2, %i.0
  %idxprom = sext i32 %mul to i64
  %arrayidx = getelementptr inbounds i32, ptr %pairs, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %cmp = icmp ne i32 %0, -1
  br i1 %cmp, label %while.body, label %while.end

while.body:
  %mul1 = mul nsw i32 2, %i.0
  %idxprom2 = sext i32 %mul1 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %pairs, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp eq i32 %1, %key
  br i1 %cmp4, label %if.then, label %if.end

if.then:
  %mul5 = mul nsw i32 2, %i.0
  %add = add nsw i32 %mul5, 1
  %idxprom6 = sext i32 %add to i64
  %arrayidx7 = getelementptr inbounds i32, ptr %pairs, i64 %idxprom6
  %2 = load i32, ptr %arrayidx7, align 4
  br label %return

if.end:
  %inc = add nsw i32 %i.0, 1
  br label %while.cond, !llvm.loop !0

while.end:
  br label %return

return:
  %retval.0 = phi i32 [ %2, %if.then ], [ 0, %while.end ]
  ret i32 %retval.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
