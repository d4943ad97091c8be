; A sum that stops at a limit.
;
; unsigned saturate(const unsigned char *a, int n) {
;   unsigned s = 0;
;   for (int i = 0; i < n; i++) {
;     s += a[i];
;     if (s > 2000)
;       s = 2000;
;   }
;   return s;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @saturate(ptr noundef %a, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %s.0 = phi i32 [ 0, %entry ], [ %s.1, %for.inc ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i8, ptr %a, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %0 to i32
  %add = add i32 %s.0, %conv
  %cmp1 = icmp ugt i32 %add, 2000
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  br label %if.end

if.end:
  %s.1 = phi i32 [ 2000, %if.then ], [ %add, %for.body ]
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i32 %s.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
