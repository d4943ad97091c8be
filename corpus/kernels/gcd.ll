; The greatest common divisor, of many pairs.
;
; unsigned gcd(const unsigned *a, const unsigned *b, int n) {
;   unsigned sum = 0;
;   for (int i = 0; i < n; i++) {
;     unsigned x = a[i], y = b[i];
;     while (y != 0) {
;       unsigned r = x % y;
;       x = y;
;       y = r;
;     }
;     sum += x;
;   }
;   return sum;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @gcd(ptr noundef %a, ptr noundef %b, i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %sum.0 = phi i32 [ 0, %entry ], [ %add, %for.inc ]
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
  br label %while.cond

while.cond:
  %x.0 = phi i32 [ %0, %for.body ], [ %y.0, %while.body ]
  %y.0 = phi i32 [ %1, %for.body ], [ %rem, %while.body ]
  %cmp3 = icmp ne i32 %y.0, 0
  br i1 %cmp3, label %while.body, label %while.end

while.body:
  %rem = urem i32 %x.0, %y.0
  br label %while.cond, !llvm.loop !0

while.end:
  %add = add i32 %sum.0, %x.0
  br label %for.inc

for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !1

for.end:
  ret i32 %sum.0
}

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
