; Prefix sum, as clang -O1 leaves it: replaces each of n ints by the sum up to it.
;
; C source: prefix-sum.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @prefix_sum(ptr noundef captures(none) %a, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp13 = icmp sgt i32 %n, 1
  br i1 %cmp13, label %for.body.preheader, label %for.end

for.body.preheader:
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 1, %for.body.preheader ], [ %indvars.iv.next, %if.end ]
  %arrayidx = getelementptr inbounds nuw i32, ptr %a, i64 %indvars.iv
  %0 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp slt i32 %0, 0
  br i1 %cmp1, label %for.end.loopexit.split.loop.exit, label %if.end

if.end:
  %arrayidx3 = getelementptr i8, ptr %arrayidx, i64 -4
  %1 = load i32, ptr %arrayidx3, align 4
  %add = add nsw i32 %1, %0
  store i32 %add, ptr %arrayidx, align 4
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body, !llvm.loop !0

for.end.loopexit.split.loop.exit:
  %2 = trunc nuw nsw i64 %indvars.iv to i32
  br label %for.end

for.end:
  %i.0.lcssa = phi i32 [ 1, %entry ], [ %2, %for.end.loopexit.split.loop.exit ], [ %n, %if.end ]
  ret i32 %i.0.lcssa
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
