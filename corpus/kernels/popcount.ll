; How many bits are set, one by one.
;
; int popcount(const unsigned *a, int n) {
;   int count = 0;
;   for (int i = 0; i < n; i++)
;     for (unsigned x = a[i]; x != 0; x &= x - 1)
;       count++;
;   return count;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @popcount(ptr noundef %a, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %count.0 = phi i32 [ 0, %entry ], [ %count.1, %for.inc4 ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc5, %for.inc4 ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end6

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  br label %for.cond1

for.cond1:
  %count.1 = phi i32 [ %count.0, %for.body ], [ %inc, %for.inc ]
  %x.0 = phi i32 [ %0, %for.body ], [ %and, %for.inc ]
  %cmp2 = icmp ne i32 %x.0, 0
  br i1 %cmp2, label %for.body3, label %for.end

for.body3:
  %inc = add nsw i32 %count.1, 1
  br label %for.inc

for.inc:
  %sub = sub i32 %x.0, 1
  %and = and i32 %x.0, %sub
  br label %for.cond1, !llvm.loop !0

for.end:
  br label %for.inc4

for.inc4:
  %inc5 = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !1

for.end6:
  ret i32 %count.0
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
