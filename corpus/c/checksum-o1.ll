; Checksum, as clang -O1 leaves it: the two-part checksum of n bytes that Fletcher proposed, with
; additions modulo 255.
;
; C source: checksum.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local range(i32 0, 65280) i32 @checksum(ptr noundef readonly captures(none) %p, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp16 = icmp sgt i32 %n, 0
  br i1 %cmp16, label %while.body, label %while.end

while.body:
  %b.020 = phi i32 [ %b.1, %while.body ], [ 0, %entry ]
  %a.019 = phi i32 [ %spec.select, %while.body ], [ 0, %entry ]
  %n.addr.018 = phi i32 [ %dec, %while.body ], [ %n, %entry ]
  %p.addr.017 = phi ptr [ %incdec.ptr, %while.body ], [ %p, %entry ]
  %dec = add nsw i32 %n.addr.018, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %p.addr.017, i64 1
  %0 = load i8, ptr %p.addr.017, align 1
  %conv = zext i8 %0 to i32
  %add = add nuw nsw i32 %a.019, %conv
  %cmp1 = icmp ugt i32 %add, 254
  %sub = add nsw i32 %add, -255
  %spec.select = select i1 %cmp1, i32 %sub, i32 %add
  %add3 = add nuw nsw i32 %spec.select, %b.020
  %cmp4 = icmp ugt i32 %add3, 254
  %sub7 = add nsw i32 %add3, -255
  %b.1 = select i1 %cmp4, i32 %sub7, i32 %add3
  %cmp = icmp sgt i32 %n.addr.018, 1
  br i1 %cmp, label %while.body, label %while.end.loopexit, !llvm.loop !0

while.end.loopexit:
  %1 = shl nuw nsw i32 %b.1, 8
  %2 = or i32 %1, %spec.select
  br label %while.end

while.end:
  %or = phi i32 [ 0, %entry ], [ %2, %while.end.loopexit ]
  ret i32 %or
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
