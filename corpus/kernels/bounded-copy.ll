; Iterations behind the first m do nothing.
;
; void bounded_copy(long *restrict a, const long *restrict b, long m, long n) {
;   for (long i = 0; i != n; i++)
;     if (i < m)
;       a[i] = b[i] + 1;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @bounded_copy(ptr noalias noundef %a, ptr noalias noundef %b, i64 noundef %m, i64 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ne i64 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %cmp1 = icmp slt i64 %i.0, %m
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %arrayidx = getelementptr inbounds i64, ptr %b, i64 %i.0
  %0 = load i64, ptr %arrayidx, align 8
  %add = add nsw i64 %0, 1
  %arrayidx2 = getelementptr inbounds i64, ptr %a, i64 %i.0
  store i64 %add, ptr %arrayidx2, align 8
  br label %if.end

if.end:
  br label %for.inc

for.inc:
  %inc = add nsw i64 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
