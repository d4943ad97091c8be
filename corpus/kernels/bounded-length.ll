; The length of a string, at most n: the bound comes first.
;
; unsigned long bounded_length(const char *s, unsigned long n) {
;   unsigned long i = 0;
;   while (i < n && s[i] != 0)
;     i++;
;   return i;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i64 @bounded_length(ptr noundef %s, i64 noundef %n) nounwind {
entry:
  br label %while.cond

while.cond:
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %while.body ]
  %cmp = icmp ult i64 %i.0, %n
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:
  %arrayidx = getelementptr inbounds nuw i8, ptr %s, i64 %i.0
  %0 = load i8, ptr %arrayidx, align 1
  %conv = sext i8 %0 to i32
  %cmp1 = icmp ne i32 %conv, 0
  br label %land.end

land.end:
  %1 = phi i1 [ false, %while.cond ], [ %cmp1, %land.rhs ]
  br i1 %1, label %while.body, label %while.end

while.body:
  %inc = add i64 %i.0, 1
  br label %while.cond, !llvm.loop !0

while.end:
  ret i64 %i.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
