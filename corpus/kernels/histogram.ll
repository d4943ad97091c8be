; How often each value occurs.
;
; void histogram(unsigned *restrict h, const unsigned char *restrict a, int n) {
;   for (int i = 0; i < n; i++)
;     h[a[i]]++;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @histogram(ptr noalias noundef %h, ptr noalias noundef %a, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc3, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i8, ptr %a, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %idxprom1 = zext i8 %0 to i64
  %arrayidx2 = getelementptr inbounds nuw i32, ptr %h, i64 %idxprom1
  %1 = load i32, ptr %arrayidx2, align 4
  %inc = add i32 %1, 1
  store i32 %inc, ptr %arrayidx2, align 4
  br label %for.inc

for.inc:
  %inc3 = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
