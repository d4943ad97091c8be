; Loops of three and four iterations.
;
; void small_counts(int *restrict out, const int *restrict m, const int *restrict v, int n) {
;   for (int k = 0; k < n; k++)
;     for (int i = 0; i < 3; i++) {
;       int s = 0;
;       for (int j = 0; j < 4; j++)
;         s += m[i * 4 + j] * v[k * 4 + j];
;       out[k * 3 + i] = s;
;     }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @small_counts(ptr noalias noundef %out, ptr noalias noundef %m, ptr noalias noundef %v, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %k.0 = phi i32 [ 0, %entry ], [ %inc21, %for.inc20 ]
  %cmp = icmp slt i32 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end22

for.body:
  br label %for.cond1

for.cond1:
  %i.0 = phi i32 [ 0, %for.body ], [ %inc18, %for.inc17 ]
  %cmp2 = icmp slt i32 %i.0, 3
  br i1 %cmp2, label %for.body3, label %for.end19

for.body3:
  br label %for.cond4

for.cond4:
  %s.0 = phi i32 [ 0, %for.body3 ], [ %add12, %for.inc ]
  %j.0 = phi i32 [ 0, %for.body3 ], [ %inc, %for.inc ]
  %cmp5 = icmp slt i32 %j.0, 4
  br i1 %cmp5, label %for.body6, label %for.end

for.body6:
  %mul = mul nsw i32 %i.0, 4
  %add = add nsw i32 %mul, %j.0
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i32, ptr %m, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %mul7 = mul nsw i32 %k.0, 4
  %add8 = add nsw i32 %mul7, %j.0
  %idxprom9 = sext i32 %add8 to i64
  %arrayidx10 = getelementptr inbounds i32, ptr %v, i64 %idxprom9
  %1 = load i32, ptr %arrayidx10, align 4
  %mul11 = mul nsw i32 %0, %1
  %add12 = add nsw i32 %s.0, %mul11
  br label %for.inc

for.inc:
  %inc = add nsw i32 %j.0, 1
  br label %for.cond4, !llvm.loop !0

for.end:
  %mul13 = mul nsw i32 %k.0, 3
  %add14 = add nsw i32 %mul13, %i.0
  %idxprom15 = sext i32 %add14 to i64
  %arrayidx16 = getelementptr inbounds i32, ptr %out, i64 %idxprom15
  store i32 %s.0, ptr %arrayidx16, align 4
  br label %for.inc17

for.inc17:
  %inc18 = add nsw i32 %i.0, 1
  br label %for.cond1, !llvm.loop !1

for.end19:
  br label %for.inc20

for.inc20:
  %inc21 = add nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !2

for.end22:
  ret void
}

!0 = distinct !{!0, !3}
!1 = distinct !{!1, !3}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.mustprogress"}
