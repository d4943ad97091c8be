; Matrix multiply, as clang -O1 leaves it: c = a * b for 2x2 matrices of bytes, computed modulo 256.
;
; C source: matrix-multiply.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local range(i32 0, 511) i32 @matrix_multiply(ptr noundef captures(none) %c, ptr noundef readonly captures(none) %a, ptr noundef readonly captures(none) %b) local_unnamed_addr #0 {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %indvars.iv54 = phi i64 [ 0, %entry ], [ %indvars.iv.next55, %for.cond.cleanup3 ]
  %arrayidx = getelementptr inbounds nuw [2 x i8], ptr %a, i64 %indvars.iv54
  %arrayidx19 = getelementptr inbounds nuw [2 x i8], ptr %c, i64 %indvars.iv54
  br label %for.cond5.preheader

for.cond.cleanup:
  %0 = load i8, ptr %c, align 1
  %conv30 = zext i8 %0 to i32
  %arrayidx32 = getelementptr inbounds nuw i8, ptr %c, i64 3
  %1 = load i8, ptr %arrayidx32, align 1
  %conv33 = zext i8 %1 to i32
  %add34 = add nuw nsw i32 %conv33, %conv30
  ret i32 %add34

for.cond5.preheader:
  %indvars.iv51 = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next52, %for.cond.cleanup7 ]
  %invariant.gep = getelementptr inbounds nuw i8, ptr %b, i64 %indvars.iv51
  br label %for.body8

for.cond.cleanup3:
  %indvars.iv.next55 = add nuw nsw i64 %indvars.iv54, 1
  %cmp = icmp eq i64 %indvars.iv54, 0
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup, !llvm.loop !0

for.cond.cleanup7:
  %arrayidx21 = getelementptr inbounds nuw i8, ptr %arrayidx19, i64 %indvars.iv51
  store i8 %add, ptr %arrayidx21, align 1
  %indvars.iv.next52 = add nuw nsw i64 %indvars.iv51, 1
  %cmp2 = icmp eq i64 %indvars.iv51, 0
  br i1 %cmp2, label %for.cond5.preheader, label %for.cond.cleanup3, !llvm.loop !3

for.body8:
  %indvars.iv = phi i64 [ 0, %for.cond5.preheader ], [ %indvars.iv.next, %for.body8 ]
  %sum.047 = phi i8 [ 0, %for.cond5.preheader ], [ %add, %for.body8 ]
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 %indvars.iv
  %2 = load i8, ptr %arrayidx10, align 1
  %gep = getelementptr inbounds nuw [2 x i8], ptr %invariant.gep, i64 %indvars.iv
  %3 = load i8, ptr %gep, align 1
  %mul = mul i8 %3, %2
  %add = add i8 %mul, %sum.047
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp6 = icmp eq i64 %indvars.iv, 0
  br i1 %cmp6, label %for.body8, label %for.cond.cleanup7, !llvm.loop !4
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
!4 = distinct !{!4, !1, !2}
