; A loop whose result is known without it.
;
; unsigned unused(unsigned n) {
;   unsigned x = 5;
;   for (unsigned i = 0; i < n; i++)
;     x += 3;
;   return x;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @unused(i32 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %x.0 = phi i32 [ 5, %entry ], [ %add, %for.inc ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %add = add i32 %x.0, 3
  br label %for.inc

for.inc:
  %inc = add i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i32 %x.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
