; Find substring, as clang -O1 leaves it: the place of the first occurrence of needle in text, or -1.
;
; C source: find-substring.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @find_substring(ptr noundef readonly captures(none) %text, ptr noundef readonly captures(none) %needle) local_unnamed_addr #0 {
entry:
  %0 = load i8, ptr %needle, align 1
  %tobool.not31 = icmp eq i8 %0, 0
  br label %for.cond

for.cond:
  %indvars.iv35 = phi i64 [ %indvars.iv.next36, %cleanup ], [ 0, %entry ]
  %retval.0 = phi i32 [ %retval.1, %cleanup ], [ undef, %entry ]
  %1 = trunc nuw nsw i64 %indvars.iv35 to i32
  br i1 %tobool.not31, label %cleanup, label %land.rhs.preheader

land.rhs.preheader:
  %invariant.gep = getelementptr inbounds i8, ptr %text, i64 %indvars.iv35
  br label %land.rhs

land.rhs:
  %indvars.iv = phi i64 [ %indvars.iv.next, %while.body ], [ 0, %land.rhs.preheader ]
  %2 = phi i8 [ %4, %while.body ], [ %0, %land.rhs.preheader ]
  %gep = getelementptr inbounds i8, ptr %invariant.gep, i64 %indvars.iv
  %3 = load i8, ptr %gep, align 1
  %cmp = icmp eq i8 %3, %2
  br i1 %cmp, label %while.body, label %if.end

while.body:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %arrayidx = getelementptr inbounds nuw i8, ptr %needle, i64 %indvars.iv.next
  %4 = load i8, ptr %arrayidx, align 1
  %tobool.not = icmp eq i8 %4, 0
  br i1 %tobool.not, label %cleanup, label %land.rhs, !llvm.loop !0

if.end:
  %5 = and i64 %indvars.iv, 4294967295
  %6 = getelementptr inbounds nuw i8, ptr %text, i64 %5
  %arrayidx13 = getelementptr inbounds nuw i8, ptr %6, i64 %indvars.iv35
  %7 = load i8, ptr %arrayidx13, align 1
  %tobool14.not = icmp ne i8 %7, 0
  %.retval.0 = select i1 %tobool14.not, i32 %retval.0, i32 -1
  br label %cleanup

cleanup:
  %retval.1 = phi i32 [ %.retval.0, %if.end ], [ %1, %for.cond ], [ %1, %while.body ]
  %cond = phi i1 [ %tobool14.not, %if.end ], [ false, %for.cond ], [ false, %while.body ]
  %indvars.iv.next36 = add nuw nsw i64 %indvars.iv35, 1
  br i1 %cond, label %for.cond, label %cleanup18, !llvm.loop !3

cleanup18:
  ret i32 %retval.1
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !2}
