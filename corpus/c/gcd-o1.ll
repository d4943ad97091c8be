; Gcd, as clang -O1 leaves it: the greatest common divisor by subtraction.
;
; C source: gcd.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @gcd(i32 noundef %a, i32 noundef %b) local_unnamed_addr #0 {
entry:
  %cmp = icmp eq i32 %a, 0
  %cmp1 = icmp eq i32 %b, 0
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %while.cond.preheader

while.cond.preheader:
  %cmp2.not16 = icmp eq i32 %a, %b
  br i1 %cmp2.not16, label %return, label %while.body

while.body:
  %b.addr.018 = phi i32 [ %b.addr.1, %while.body ], [ %b, %while.cond.preheader ]
  %a.addr.017 = phi i32 [ %a.addr.1, %while.body ], [ %a, %while.cond.preheader ]
  %cmp3 = icmp ugt i32 %a.addr.017, %b.addr.018
  %sub = select i1 %cmp3, i32 %b.addr.018, i32 0
  %a.addr.1 = sub nuw i32 %a.addr.017, %sub
  %sub5 = select i1 %cmp3, i32 0, i32 %a.addr.017
  %b.addr.1 = sub nuw i32 %b.addr.018, %sub5
  %cmp2.not = icmp eq i32 %a.addr.1, %b.addr.1
  br i1 %cmp2.not, label %return, label %while.body, !llvm.loop !0

return:
  %retval.0 = phi i32 [ 0, %entry ], [ %a, %while.cond.preheader ], [ %a.addr.1, %while.body ]
  ret i32 %retval.0
}

attributes #0 = { nofree norecurse nosync nounwind memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
