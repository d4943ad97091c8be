; Two conditions leave the loop for the same block, which needs to know where.
;
; int shared_exit(const int *a, const int *b, int n) {
;   int i;
;   for (i = 0; i < n; i++) {
;     if (a[i] < 0)
;       break;
;     if (b[i] == 0)
;       break;
;   }
;   return i;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @shared_exit(ptr noundef %a, ptr noundef %b, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp slt i32 %0, 0
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  br label %for.end

if.end:
  %idxprom2 = sext i32 %i.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %b, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp eq i32 %1, 0
  br i1 %cmp4, label %if.then5, label %if.end6

if.then5:
  br label %for.end

if.end6:
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i32 %i.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
