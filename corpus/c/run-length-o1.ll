; Run length, as clang -O1 leaves it: writes (count, byte) pairs for the runs of n input bytes.
;
; C source: run-length.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @run_length(ptr noundef writeonly captures(none) %out, ptr noundef readonly captures(none) %in, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp43 = icmp sgt i32 %n, 0
  br i1 %cmp43, label %while.body, label %while.end20

while.body:
  %indvars.iv49 = phi i64 [ %indvars.iv.next50, %while.end ], [ 0, %entry ]
  %i.044 = phi i32 [ %add.lcssa, %while.end ], [ 0, %entry ]
  %idxprom = zext nneg i32 %i.044 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %in, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %add36 = add nuw nsw i32 %i.044, 1
  %cmp237 = icmp slt i32 %add36, %n
  br i1 %cmp237, label %land.lhs.true.preheader, label %while.end

land.lhs.true.preheader:
  %1 = sub i32 %n, %i.044
  %wide.trip.count = zext i32 %1 to i64
  br label %land.lhs.true

land.lhs.true:
  %indvars.iv = phi i64 [ 1, %land.lhs.true.preheader ], [ %indvars.iv.next, %while.body11 ]
  %add39 = phi i32 [ %add36, %land.lhs.true.preheader ], [ %4, %while.body11 ]
  %idxprom4 = zext nneg i32 %add39 to i64
  %arrayidx5 = getelementptr inbounds nuw i8, ptr %in, i64 %idxprom4
  %2 = load i8, ptr %arrayidx5, align 1
  %cmp7 = icmp eq i8 %2, %0
  %cmp9 = icmp samesign ult i64 %indvars.iv, 255
  %or.cond = select i1 %cmp7, i1 %cmp9, i1 false
  br i1 %or.cond, label %while.body11, label %while.end.loopexit.split.loop.exit

while.body11:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %3 = trunc nuw i64 %indvars.iv.next to i32
  %4 = add i32 %i.044, %3
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %while.end.loopexit, label %land.lhs.true, !llvm.loop !0

while.end.loopexit.split.loop.exit:
  %5 = trunc nuw nsw i64 %indvars.iv to i32
  br label %while.end.loopexit

while.end.loopexit:
  %run.0.lcssa.ph = phi i32 [ %5, %while.end.loopexit.split.loop.exit ], [ %1, %while.body11 ]
  %add.lcssa.ph = phi i32 [ %add39, %while.end.loopexit.split.loop.exit ], [ %n, %while.body11 ]
  %6 = trunc i32 %run.0.lcssa.ph to i8
  br label %while.end

while.end:
  %run.0.lcssa = phi i8 [ 1, %while.body ], [ %6, %while.end.loopexit ]
  %add.lcssa = phi i32 [ %add36, %while.body ], [ %add.lcssa.ph, %while.end.loopexit ]
  %arrayidx15 = getelementptr inbounds nuw i8, ptr %out, i64 %indvars.iv49
  store i8 %run.0.lcssa, ptr %arrayidx15, align 1
  %indvars.iv.next50 = add nuw nsw i64 %indvars.iv49, 2
  %arrayidx18 = getelementptr inbounds nuw i8, ptr %arrayidx15, i64 1
  store i8 %0, ptr %arrayidx18, align 1
  %cmp = icmp slt i32 %add.lcssa, %n
  br i1 %cmp, label %while.body, label %while.end20.loopexit, !llvm.loop !3

while.end20.loopexit:
  %7 = trunc nuw i64 %indvars.iv.next50 to i32
  br label %while.end20

while.end20:
  %o.0.lcssa = phi i32 [ 0, %entry ], [ %7, %while.end20.loopexit ]
  ret i32 %o.0.lcssa
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
