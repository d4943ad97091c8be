; A condition in the loop that never changes.
;
; int guard(const int *a, int n, int negate) {
;   int s = 0;
;   for (int i = 0; i < n; i++) {
;     if (negate != 0)
;       s -= a[i];
;     else
;       s += a[i];
;   }
;   return s;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @guard(ptr noundef %a, i32 noundef %n, i32 noundef %negate) nounwind {
entry:
  br label %for.cond

for.cond:
  %s.0 = phi i32 [ 0, %entry ], [ %s.1, %for.inc ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %cmp1 = icmp ne i32 %negate, 0
  br i1 %cmp1, label %if.then, label %if.else

if.then:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %sub = sub nsw i32 %s.0, %0
  br label %if.end

if.else:
  %idxprom2 = sext i32 %i.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %a, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %add = add nsw i32 %s.0, %1
  br label %if.end

if.end:
  %s.1 = phi i32 [ %sub, %if.then ], [ %add, %if.else ]
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i32 %s.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
