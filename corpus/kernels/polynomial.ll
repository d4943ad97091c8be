; A polynomial by Horner's rule.
;
; long polynomial(const long *c, int n, long x) {
;   long y = 0;
;   for (int i = n - 1; i >= 0; i--)
;     y = y * x + c[i];
;   return y;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i64 @polynomial(ptr noundef %c, i32 noundef %n, i64 noundef %x) nounwind {
entry:
  %sub = sub nsw i32 %n, 1
  br label %for.cond

for.cond:
  %y.0 = phi i64 [ 0, %entry ], [ %add, %for.inc ]
  %i.0 = phi i32 [ %sub, %entry ], [ %dec, %for.inc ]
  %cmp = icmp sge i32 %i.0, 0
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %mul = mul nsw i64 %y.0, %x
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i64, ptr %c, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %mul, %0
  br label %for.inc

for.inc:
  %dec = add nsw i32 %i.0, -1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i64 %y.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
