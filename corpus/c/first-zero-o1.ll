; First zero, as clang -O1 leaves it: row * 2 + column of the first element of a matrix of n rows and
; 2 columns that is zero.
;
; C source: first-zero.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @first_zero(ptr noundef readonly captures(none) %m, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp20 = icmp sgt i32 %n, 0
  br i1 %cmp20, label %for.cond1.preheader.preheader, label %cleanup

for.cond1.preheader.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv25 = phi i64 [ 0, %for.cond1.preheader.preheader ], [ %indvars.iv.next26, %for.inc7 ]
  %arrayidx = getelementptr inbounds nuw [2 x i32], ptr %m, i64 %indvars.iv25
  br label %for.body3

for.body3:
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next, %for.inc ]
  %arrayidx5 = getelementptr inbounds nuw i32, ptr %arrayidx, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx5, align 4
  %cmp6 = icmp eq i32 %0, 0
  br i1 %cmp6, label %found, label %for.inc

for.inc:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp2 = icmp eq i64 %indvars.iv, 0
  br i1 %cmp2, label %for.body3, label %for.inc7, !llvm.loop !0

for.inc7:
  %indvars.iv.next26 = add nuw nsw i64 %indvars.iv25, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next26, %wide.trip.count
  br i1 %exitcond.not, label %cleanup, label %for.cond1.preheader, !llvm.loop !3

found:
  %1 = trunc nuw nsw i64 %indvars.iv25 to i32
  %2 = trunc nuw nsw i64 %indvars.iv to i32
  %mul = shl nuw nsw i32 %1, 1
  %add = add nuw nsw i32 %mul, %2
  br label %cleanup

cleanup:
  %retval.0 = phi i32 [ %add, %found ], [ -1, %entry ], [ -1, %for.inc7 ]
  ret i32 %retval.0
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
