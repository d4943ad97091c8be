; Gcd, as clang -O0 and mem2reg leaves it: the greatest common divisor by subtraction.
;
; C source: gcd.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @gcd(i32 noundef %a, i32 noundef %b) #0 {
entry:
  %cmp = icmp eq i32 %a, 0
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:
  %cmp1 = icmp eq i32 %b, 0
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  br label %return

if.end:
  br label %while.cond

while.cond:
  %b.addr.0 = phi i32 [ %b, %if.end ], [ %b.addr.1, %if.end6 ]
  %a.addr.0 = phi i32 [ %a, %if.end ], [ %a.addr.1, %if.end6 ]
  %cmp2 = icmp ne i32 %a.addr.0, %b.addr.0
  br i1 %cmp2, label %while.body, label %while.end

while.body:
  %cmp3 = icmp ugt i32 %a.addr.0, %b.addr.0
  br i1 %cmp3, label %if.then4, label %if.else

if.then4:
  %sub = sub i32 %a.addr.0, %b.addr.0
  br label %if.end6

if.else:
  %sub5 = sub i32 %b.addr.0, %a.addr.0
  br label %if.end6

if.end6:
  %b.addr.1 = phi i32 [ %b.addr.0, %if.then4 ], [ %sub5, %if.else ]
  %a.addr.1 = phi i32 [ %sub, %if.then4 ], [ %a.addr.0, %if.else ]
  br label %while.cond, !llvm.loop !0

while.end:
  br label %return

return:
  %retval.0 = phi i32 [ 0, %if.then ], [ %a.addr.0, %while.end ]
  ret i32 %retval.0
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
