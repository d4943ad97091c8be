; Binary search, as clang -O1 leaves it: the index of key among n sorted ints, or -1.
;
; C source: binary-search.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @binary_search(ptr noundef readonly captures(none) %a, i32 noundef %n, i32 noundef %key) local_unnamed_addr #0 {
entry:
  %sub = add nsw i32 %n, -1
  br label %while.cond

while.cond:
  %lo.0 = phi i32 [ 0, %entry ], [ %lo.2, %cleanup ]
  %hi.0 = phi i32 [ %sub, %entry ], [ %hi.2, %cleanup ]
  %retval.0 = phi i32 [ undef, %entry ], [ %retval.1, %cleanup ]
  %cmp.not = icmp sgt i32 %lo.0, %hi.0
  br i1 %cmp.not, label %cleanup10, label %while.body

while.body:
  %sub1 = sub nsw i32 %hi.0, %lo.0
  %div21 = lshr i32 %sub1, 1
  %add = add nuw nsw i32 %div21, %lo.0
  %idxprom = zext nneg i32 %add to i64
  %arrayidx = getelementptr inbounds nuw i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %cmp2.not = icmp eq i32 %0, %key
  br i1 %cmp2.not, label %cleanup, label %if.end

if.end:
  %cmp5 = icmp slt i32 %0, %key
  %add7 = add nuw nsw i32 %add, 1
  %sub8 = add nsw i32 %add, -1
  %lo.1 = select i1 %cmp5, i32 %add7, i32 %lo.0
  %hi.1 = select i1 %cmp5, i32 %hi.0, i32 %sub8
  br label %cleanup

cleanup:
  %lo.2 = phi i32 [ %lo.1, %if.end ], [ %lo.0, %while.body ]
  %hi.2 = phi i32 [ %hi.1, %if.end ], [ %hi.0, %while.body ]
  %retval.1 = phi i32 [ %retval.0, %if.end ], [ %add, %while.body ]
  br i1 %cmp2.not, label %cleanup10, label %while.cond, !llvm.loop !0

cleanup10:
  %retval.2 = phi i32 [ %retval.1, %cleanup ], [ -1, %while.cond ]
  ret i32 %retval.2
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
