; Selection sort, as clang -O1 leaves it: sorts n bytes in place by selection of the least.
;
; C source: selection-sort.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @selection_sort(ptr noundef captures(none) %a, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp44.not = icmp eq i32 %n, 0
  br i1 %cmp44.not, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:
  %0 = zext i32 %n to i64
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond.cleanup:
  %moves.0.lcssa = phi i32 [ 0, %entry ], [ %add18, %for.cond.cleanup3 ]
  ret i32 %moves.0.lcssa

for.body:
  %indvars.iv51 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next52, %for.cond.cleanup3 ]
  %indvars.iv = phi i64 [ 1, %for.body.preheader ], [ %indvars.iv.next, %for.cond.cleanup3 ]
  %moves.046 = phi i32 [ 0, %for.body.preheader ], [ %add18, %for.cond.cleanup3 ]
  %indvars.iv.next52 = add nuw nsw i64 %indvars.iv51, 1
  %cmp241 = icmp samesign ult i64 %indvars.iv.next52, %0
  %1 = trunc nuw i64 %indvars.iv51 to i32
  br i1 %cmp241, label %for.body4.preheader, label %for.cond.cleanup3

for.body4.preheader:
  %2 = trunc nuw i64 %indvars.iv51 to i32
  br label %for.body4

for.cond.cleanup3:
  %least.0.lcssa = phi i32 [ %1, %for.body ], [ %spec.select, %for.body4 ]
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv51
  %3 = load i8, ptr %arrayidx11, align 1
  %idxprom12 = zext i32 %least.0.lcssa to i64
  %arrayidx13 = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom12
  %4 = load i8, ptr %arrayidx13, align 1
  store i8 %4, ptr %arrayidx11, align 1
  store i8 %3, ptr %arrayidx13, align 1
  %5 = trunc nuw i64 %indvars.iv51 to i32
  %sub = sub i32 %moves.046, %5
  %add18 = add i32 %sub, %least.0.lcssa
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond54.not = icmp eq i64 %indvars.iv.next52, %wide.trip.count
  br i1 %exitcond54.not, label %for.cond.cleanup, label %for.body, !llvm.loop !0

for.body4:
  %indvars.iv48 = phi i64 [ %indvars.iv, %for.body4.preheader ], [ %indvars.iv.next49, %for.body4 ]
  %least.042 = phi i32 [ %2, %for.body4.preheader ], [ %spec.select, %for.body4 ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv48
  %6 = load i8, ptr %arrayidx, align 1
  %idxprom5 = zext i32 %least.042 to i64
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom5
  %7 = load i8, ptr %arrayidx6, align 1
  %cmp8 = icmp slt i8 %6, %7
  %8 = trunc nuw i64 %indvars.iv48 to i32
  %spec.select = select i1 %cmp8, i32 %8, i32 %least.042
  %indvars.iv.next49 = add nuw nsw i64 %indvars.iv48, 1
  %lftr.wideiv = trunc i64 %indvars.iv.next49 to i32
  %exitcond.not = icmp eq i32 %n, %lftr.wideiv
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !3
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
