; Bubble sort, as clang -O1 leaves it: sorts n ints in place by bubbles and stops when a pass swapped
; nothing.
;
; C source: bubble-sort.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @bubble_sort(ptr noundef captures(none) %a, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp30 = icmp sgt i32 %n, 1
  %0 = add i32 %n, -1
  %wide.trip.count = zext i32 %0 to i64
  br label %do.body

do.body:
  %swaps.0 = phi i32 [ 0, %entry ], [ %swaps.1.lcssa, %for.cond.cleanup ]
  br i1 %cmp30, label %for.body, label %for.cond.cleanup

for.cond.cleanup.loopexit:
  %1 = icmp eq i32 %swapped.1, 0
  br label %for.cond.cleanup

for.cond.cleanup:
  %swapped.0.lcssa = phi i1 [ true, %do.body ], [ %1, %for.cond.cleanup.loopexit ]
  %swaps.1.lcssa = phi i32 [ %swaps.0, %do.body ], [ %swaps.2, %for.cond.cleanup.loopexit ]
  br i1 %swapped.0.lcssa, label %do.end, label %do.body, !llvm.loop !0

for.body:
  %indvars.iv36 = phi i64 [ %indvars.iv.next37, %for.inc ], [ 0, %do.body ]
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.inc ], [ 1, %do.body ]
  %swaps.133 = phi i32 [ %swaps.2, %for.inc ], [ %swaps.0, %do.body ]
  %swapped.031 = phi i32 [ %swapped.1, %for.inc ], [ 0, %do.body ]
  %arrayidx = getelementptr inbounds nuw i32, ptr %a, i64 %indvars.iv36
  %2 = load i32, ptr %arrayidx, align 4
  %arrayidx3 = getelementptr inbounds nuw i32, ptr %a, i64 %indvars.iv
  %3 = load i32, ptr %arrayidx3, align 4
  %cmp4 = icmp sgt i32 %2, %3
  br i1 %cmp4, label %if.then, label %for.inc

if.then:
  store i32 %3, ptr %arrayidx, align 4
  store i32 %2, ptr %arrayidx3, align 4
  %inc = add nsw i32 %swaps.133, 1
  br label %for.inc

for.inc:
  %swapped.1 = phi i32 [ 1, %if.then ], [ %swapped.031, %for.body ]
  %swaps.2 = phi i32 [ %inc, %if.then ], [ %swaps.133, %for.body ]
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %indvars.iv.next37 = add nuw nsw i64 %indvars.iv36, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next37, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit, label %for.body, !llvm.loop !3

do.end:
  ret i32 %swaps.1.lcssa
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
