; Insertion sort, as clang -O1 leaves it: sorts n bytes in place, by insertion.
;
; C source: insertion-sort.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local void @insertion_sort(ptr noundef captures(none) %a, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp30 = icmp sgt i32 %n, 1
  br i1 %cmp30, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %indvars.iv = phi i64 [ 1, %for.body.preheader ], [ %indvars.iv.next, %while.end ]
  %arrayidx = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv
  %0 = load i8, ptr %arrayidx, align 1
  br label %land.rhs

land.rhs:
  %indvars.iv32 = phi i64 [ %indvars.iv, %for.body ], [ %indvars.iv.next33, %while.body ]
  %indvars.iv.next33 = add nsw i64 %indvars.iv32, -1
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv.next33
  %1 = load i8, ptr %arrayidx3, align 1
  %cmp5 = icmp ugt i8 %1, %0
  br i1 %cmp5, label %while.body, label %while.end

while.body:
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv32
  store i8 %1, ptr %arrayidx10, align 1
  %cmp1 = icmp sgt i64 %indvars.iv32, 1
  br i1 %cmp1, label %land.rhs, label %while.end, !llvm.loop !0

while.end:
  %j.0.in.lcssa = phi i64 [ 0, %while.body ], [ %indvars.iv32, %land.rhs ]
  %sext = shl i64 %j.0.in.lcssa, 32
  %idxprom12 = ashr exact i64 %sext, 32
  %arrayidx13 = getelementptr inbounds i8, ptr %a, i64 %idxprom12
  store i8 %0, ptr %arrayidx13, align 1
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !3
}

define dso_local i32 @first4(ptr noundef captures(none) %a, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp30.i = icmp sgt i32 %n, 1
  br i1 %cmp30.i, label %for.body.preheader.i, label %insertion_sort.exit

for.body.preheader.i:
  %wide.trip.count.i = zext nneg i32 %n to i64
  br label %for.body.i

for.body.i:
  %indvars.iv.i = phi i64 [ 1, %for.body.preheader.i ], [ %indvars.iv.next.i, %while.end.i ]
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv.i
  %0 = load i8, ptr %arrayidx.i, align 1
  br label %land.rhs.i

land.rhs.i:
  %indvars.iv32.i = phi i64 [ %indvars.iv.i, %for.body.i ], [ %indvars.iv.next33.i, %while.body.i ]
  %indvars.iv.next33.i = add nsw i64 %indvars.iv32.i, -1
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv.next33.i
  %1 = load i8, ptr %arrayidx3.i, align 1
  %cmp5.i = icmp ugt i8 %1, %0
  br i1 %cmp5.i, label %while.body.i, label %while.end.i

while.body.i:
  %arrayidx10.i = getelementptr inbounds nuw i8, ptr %a, i64 %indvars.iv32.i
  store i8 %1, ptr %arrayidx10.i, align 1
  %cmp1.i = icmp sgt i64 %indvars.iv32.i, 1
  br i1 %cmp1.i, label %land.rhs.i, label %while.end.i, !llvm.loop !0

while.end.i:
  %j.0.in.lcssa.i = phi i64 [ 0, %while.body.i ], [ %indvars.iv32.i, %land.rhs.i ]
  %sext.i = shl i64 %j.0.in.lcssa.i, 32
  %idxprom12.i = ashr exact i64 %sext.i, 32
  %arrayidx13.i = getelementptr inbounds i8, ptr %a, i64 %idxprom12.i
  store i8 %0, ptr %arrayidx13.i, align 1
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, %wide.trip.count.i
  br i1 %exitcond.not.i, label %insertion_sort.exit, label %for.body.i, !llvm.loop !3

insertion_sort.exit:
  %2 = load i8, ptr %a, align 1
  %conv = zext i8 %2 to i32
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %a, i64 1
  %3 = load i8, ptr %arrayidx1, align 1
  %conv2 = zext i8 %3 to i32
  %shl = shl nuw nsw i32 %conv2, 8
  %or = or disjoint i32 %shl, %conv
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %a, i64 2
  %4 = load i8, ptr %arrayidx3, align 1
  %conv4 = zext i8 %4 to i32
  %shl5 = shl nuw nsw i32 %conv4, 16
  %or6 = or disjoint i32 %or, %shl5
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %a, i64 3
  %5 = load i8, ptr %arrayidx7, align 1
  %conv8 = zext i8 %5 to i32
  %shl9 = shl nuw i32 %conv8, 24
  %or10 = or disjoint i32 %or6, %shl9
  ret i32 %or10
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
