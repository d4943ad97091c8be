; The length of a string: one exit, whose count is not known.
;
; unsigned long length(const char *s) {
;   unsigned long n = 0;
;   while (s[n] != 0)
;     n++;
;   return n;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i64 @length(ptr noundef %s) nounwind {
entry:
  br label %while.cond

while.cond:
  %n.0 = phi i64 [ 0, %entry ], [ %inc, %while.body ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %s, i64 %n.0
  %0 = load i8, ptr %arrayidx, align 1
  %conv = sext i8 %0 to i32
  %cmp = icmp ne i32 %conv, 0
  br i1 %cmp, label %while.body, label %while.end

while.body:
  %inc = add i64 %n.0, 1
  br label %while.cond, !llvm.loop !0

while.end:
  ret i64 %n.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
