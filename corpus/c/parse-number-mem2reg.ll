; Parse number, as clang -O0 and mem2reg leaves it: the decimal number at the start of s.
;
; C source: parse-number.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @parse_number(ptr noundef %s) #0 {
entry:
  br label %for.cond

for.cond:
  %n.0 = phi i32 [ 0, %entry ], [ %add, %for.inc ]
  %s.addr.0 = phi ptr [ %s, %entry ], [ %incdec.ptr, %for.inc ]
  %0 = load i8, ptr %s.addr.0, align 1
  %conv = sext i8 %0 to i32
  %cmp = icmp sge i32 %conv, 48
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:
  %1 = load i8, ptr %s.addr.0, align 1
  %conv2 = sext i8 %1 to i32
  %cmp3 = icmp sle i32 %conv2, 57
  br label %land.end

land.end:
  %2 = phi i1 [ false, %for.cond ], [ %cmp3, %land.rhs ]
  br i1 %2, label %for.body, label %for.end

for.body:
  %mul = mul nsw i32 %n.0, 10
  %3 = load i8, ptr %s.addr.0, align 1
  %conv5 = sext i8 %3 to i32
  %sub = sub nsw i32 %conv5, 48
  %add = add nsw i32 %mul, %sub
  %cmp6 = icmp sgt i32 %add, 9999
  br i1 %cmp6, label %if.then, label %if.end

if.then:
  br label %return

if.end:
  br label %for.inc

for.inc:
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %s.addr.0, i32 1
  br label %for.cond, !llvm.loop !0

for.end:
  br label %return

return:
  %retval.0 = phi i32 [ -1, %if.then ], [ %n.0, %for.end ]
  ret i32 %retval.0
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
