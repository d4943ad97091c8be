; Count bits, as clang -O0 and mem2reg leaves it: counts the bits set in x, one per iteration.
;
; C source: count-bits.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @count_bits(i32 noundef %x) #0 {
entry:
  br label %for.cond

for.cond:
  %n.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %x.addr.0 = phi i32 [ %x, %entry ], [ %and, %for.inc ]
  %tobool = icmp ne i32 %x.addr.0, 0
  br i1 %tobool, label %for.body, label %for.end

for.body:
  %sub = sub i32 %x.addr.0, 1
  %and = and i32 %x.addr.0, %sub
  br label %for.inc

for.inc:
  %inc = add nsw i32 %n.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i32 %n.0
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
