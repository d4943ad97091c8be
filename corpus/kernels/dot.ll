; The dot product of two arrays.
;
; int dot(const int *a, const int *b, int n) {
;   int s = 0;
;   for (int i = 0; i < n; i++)
;     s += a[i] * b[i];
;   return s;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @dot(ptr noundef %a, ptr noundef %b, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %s.0 = phi i32 [ 0, %entry ], [ %add, %for.inc ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %idxprom1 = sext i32 %i.0 to i64
  %arrayidx2 = getelementptr inbounds i32, ptr %b, i64 %idxprom1
  %1 = load i32, ptr %arrayidx2, align 4
  %mul = mul nsw i32 %0, %1
  %add = add nsw i32 %s.0, %mul
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i32 %s.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
