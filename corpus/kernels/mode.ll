; A switch in the loop on what never changes.
;
; void mode(int *a, int n, int mode) {
;   for (int i = 0; i < n; i++) {
;     switch (mode) {
;     case 0:
;       a[i] += 1;
;       break;
;     case 1:
;       a[i] <<= 1;
;       break;
;     default:
;       a[i] = ~a[i];
;       break;
;     }
;   }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @mode(ptr noundef %a, i32 noundef %n, i32 noundef %mode) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  switch i32 %mode, label %sw.default [
    i32 0, label %sw.bb
    i32 1, label %sw.bb1
  ]

sw.bb:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %0, 1
  store i32 %add, ptr %arrayidx, align 4
  br label %sw.epilog

sw.bb1:
  %idxprom2 = sext i32 %i.0 to i64
  %arrayidx3 = getelementptr inbounds i32, ptr %a, i64 %idxprom2
  %1 = load i32, ptr %arrayidx3, align 4
  %shl = shl i32 %1, 1
  store i32 %shl, ptr %arrayidx3, align 4
  br label %sw.epilog

sw.default:
  %idxprom4 = sext i32 %i.0 to i64
  %arrayidx5 = getelementptr inbounds i32, ptr %a, i64 %idxprom4
  %2 = load i32, ptr %arrayidx5, align 4
  %not = xor i32 %2, -1
  %idxprom6 = sext i32 %i.0 to i64
  %arrayidx7 = getelementptr inbounds i32, ptr %a, i64 %idxprom6
  store i32 %not, ptr %arrayidx7, align 4
  br label %sw.epilog

sw.epilog:
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
