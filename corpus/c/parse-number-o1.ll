; Parse number, as clang -O1 leaves it: the decimal number at the start of s.
;
; C source: parse-number.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local range(i32 -2147483648, 10000) i32 @parse_number(ptr noundef readonly captures(none) %s) local_unnamed_addr #0 {
entry:
  %0 = load i8, ptr %s, align 1
  %1 = add i8 %0, -48
  %or.cond13 = icmp ult i8 %1, 10
  br i1 %or.cond13, label %for.body, label %cleanup

for.cond:
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %s.addr.014, i64 1
  %2 = load i8, ptr %incdec.ptr, align 1
  %3 = add i8 %2, -48
  %or.cond = icmp ult i8 %3, 10
  br i1 %or.cond, label %for.body, label %cleanup, !llvm.loop !0

for.body:
  %4 = phi i8 [ %2, %for.cond ], [ %0, %entry ]
  %n.015 = phi i32 [ %add, %for.cond ], [ 0, %entry ]
  %s.addr.014 = phi ptr [ %incdec.ptr, %for.cond ], [ %s, %entry ]
  %mul = mul nsw i32 %n.015, 10
  %narrow = add nsw i8 %4, -48
  %sub = zext nneg i8 %narrow to i32
  %add = add nsw i32 %mul, %sub
  %cmp6 = icmp sgt i32 %add, 9999
  br i1 %cmp6, label %cleanup, label %for.cond

cleanup:
  %retval.0 = phi i32 [ 0, %entry ], [ -1, %for.body ], [ %add, %for.cond ]
  ret i32 %retval.0
}

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: read) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
