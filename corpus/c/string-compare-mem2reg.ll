; String compare, as clang -O0 and mem2reg leaves it: compares two strings as strcmp does: negative,
; zero or positive.
;
; C source: string-compare.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @string_compare(ptr noundef %a, ptr noundef %b) #0 {
entry:
  br label %while.cond

while.cond:
  %b.addr.0 = phi ptr [ %b, %entry ], [ %incdec.ptr4, %while.body ]
  %a.addr.0 = phi ptr [ %a, %entry ], [ %incdec.ptr, %while.body ]
  %0 = load i8, ptr %a.addr.0, align 1
  %conv = zext i8 %0 to i32
  %tobool = icmp ne i32 %conv, 0
  br i1 %tobool, label %land.rhs, label %land.end

land.rhs:
  %1 = load i8, ptr %a.addr.0, align 1
  %conv1 = zext i8 %1 to i32
  %2 = load i8, ptr %b.addr.0, align 1
  %conv2 = zext i8 %2 to i32
  %cmp = icmp eq i32 %conv1, %conv2
  br label %land.end

land.end:
  %3 = phi i1 [ false, %while.cond ], [ %cmp, %land.rhs ]
  br i1 %3, label %while.body, label %while.end

while.body:
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %a.addr.0, i32 1
  %incdec.ptr4 = getelementptr inbounds nuw i8, ptr %b.addr.0, i32 1
  br label %while.cond, !llvm.loop !0

while.end:
  %4 = load i8, ptr %a.addr.0, align 1
  %conv5 = zext i8 %4 to i32
  %5 = load i8, ptr %b.addr.0, align 1
  %conv6 = zext i8 %5 to i32
  %sub = sub nsw i32 %conv5, %conv6
  ret i32 %sub
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
