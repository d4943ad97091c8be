; Matrix transpose, as clang -O1 leaves it: transposes an n by n matrix of bytes in place, n at most 4
; (rows are 4 bytes apart).
;
; C source: matrix-transpose.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local range(i32 0, 256) i32 @matrix_transpose(ptr noundef captures(none) %m, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp42 = icmp sgt i32 %n, 0
  br i1 %cmp42, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:
  %0 = zext nneg i32 %n to i64
  %wide.trip.count50 = zext nneg i32 %n to i64
  %wide.trip.count = zext nneg i32 %n to i64
  br label %for.body

for.cond.loopexit:
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond51.not = icmp eq i64 %indvars.iv.next48, %wide.trip.count50
  br i1 %exitcond51.not, label %for.cond.cleanup, label %for.body, !llvm.loop !0

for.cond.cleanup:
  %arrayidx22 = getelementptr inbounds nuw i8, ptr %m, i64 4
  %1 = load i8, ptr %arrayidx22, align 1
  %conv = zext i8 %1 to i32
  ret i32 %conv

for.body:
  %indvars.iv47 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next48, %for.cond.loopexit ]
  %indvars.iv = phi i64 [ 1, %for.body.preheader ], [ %indvars.iv.next, %for.cond.loopexit ]
  %indvars.iv.next48 = add nuw nsw i64 %indvars.iv47, 1
  %cmp240 = icmp samesign ult i64 %indvars.iv.next48, %0
  br i1 %cmp240, label %for.body4.lr.ph, label %for.cond.loopexit

for.body4.lr.ph:
  %arrayidx = getelementptr inbounds nuw [4 x i8], ptr %m, i64 %indvars.iv47
  %invariant.gep = getelementptr inbounds nuw i8, ptr %m, i64 %indvars.iv47
  br label %for.body4

for.body4:
  %indvars.iv44 = phi i64 [ %indvars.iv, %for.body4.lr.ph ], [ %indvars.iv.next45, %for.body4 ]
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 %indvars.iv44
  %2 = load i8, ptr %arrayidx6, align 1
  %gep = getelementptr inbounds nuw [4 x i8], ptr %invariant.gep, i64 %indvars.iv44
  %3 = load i8, ptr %gep, align 1
  store i8 %3, ptr %arrayidx6, align 1
  store i8 %2, ptr %gep, align 1
  %indvars.iv.next45 = add nuw nsw i64 %indvars.iv44, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next45, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.loopexit, label %for.body4, !llvm.loop !3
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
