; Linear search, as clang -O1 leaves it: the index of the first byte equal to key among n, or n.
;
; C source: linear-search.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @linear_search(ptr noundef readonly captures(none) %a, i32 noundef %n, i8 noundef zeroext %key) local_unnamed_addr #0 {
entry:
  %cmp.not8.not = icmp eq i32 %n, 0
  br i1 %cmp.not8.not, label %cleanup, label %for.body

for.body:
  %i.09 = phi i32 [ %inc, %for.inc ], [ 0, %entry ]
  %idxprom = zext i32 %i.09 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %cmp2 = icmp eq i8 %0, %key
  br i1 %cmp2, label %cleanup.loopexit, label %for.inc

for.inc:
  %inc = add nuw i32 %i.09, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %cleanup.loopexit, label %for.body, !llvm.loop !0

cleanup.loopexit:
  %i.0.lcssa.ph = phi i32 [ %n, %for.inc ], [ %i.09, %for.body ]
  %1 = tail call i32 @llvm.umin.i32(i32 %i.0.lcssa.ph, i32 %n)
  br label %cleanup

cleanup:
  %i.0.lcssa = phi i32 [ 0, %entry ], [ %1, %cleanup.loopexit ]
  ret i32 %i.0.lcssa
}

declare i32 @llvm.umin.i32(i32, i32) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
