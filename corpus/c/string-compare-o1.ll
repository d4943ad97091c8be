; String compare, as clang -O1 leaves it: compares two strings as strcmp does: negative, zero or
; positive.
;
; C source: string-compare.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local range(i32 -255, 256) i32 @string_compare(ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b) local_unnamed_addr #0 {
entry:
  %0 = load i8, ptr %a, align 1
  %tobool.not12 = icmp eq i8 %0, 0
  br i1 %tobool.not12, label %while.end, label %land.rhs

land.rhs:
  %1 = phi i8 [ %3, %while.body ], [ %0, %entry ]
  %b.addr.014 = phi ptr [ %incdec.ptr4, %while.body ], [ %b, %entry ]
  %a.addr.013 = phi ptr [ %incdec.ptr, %while.body ], [ %a, %entry ]
  %2 = load i8, ptr %b.addr.014, align 1
  %cmp = icmp eq i8 %1, %2
  br i1 %cmp, label %while.body, label %while.end.loopexit

while.body:
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %a.addr.013, i64 1
  %incdec.ptr4 = getelementptr inbounds nuw i8, ptr %b.addr.014, i64 1
  %3 = load i8, ptr %incdec.ptr, align 1
  %tobool.not = icmp eq i8 %3, 0
  br i1 %tobool.not, label %while.end.loopexit, label %land.rhs, !llvm.loop !0

while.end.loopexit:
  %b.addr.0.lcssa.ph = phi ptr [ %b.addr.014, %land.rhs ], [ %incdec.ptr4, %while.body ]
  %.lcssa.ph = phi i8 [ %1, %land.rhs ], [ 0, %while.body ]
  %4 = zext i8 %.lcssa.ph to i32
  br label %while.end

while.end:
  %b.addr.0.lcssa = phi ptr [ %b, %entry ], [ %b.addr.0.lcssa.ph, %while.end.loopexit ]
  %.lcssa = phi i32 [ 0, %entry ], [ %4, %while.end.loopexit ]
  %5 = load i8, ptr %b.addr.0.lcssa, align 1
  %conv6 = zext i8 %5 to i32
  %sub = sub nsw i32 %.lcssa, %conv6
  ret i32 %sub
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
