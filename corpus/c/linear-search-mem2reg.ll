; Linear search, as clang -O0 and mem2reg leaves it: the index of the first byte equal to key among n,
; or n.
;
; C source: linear-search.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @linear_search(ptr noundef %a, i32 noundef %n, i8 noundef zeroext %key) #0 {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = zext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %conv = zext i8 %0 to i32
  %conv1 = zext i8 %key to i32
  %cmp2 = icmp eq i32 %conv, %conv1
  br i1 %cmp2, label %if.then, label %if.end

if.then:
  br label %return

if.end:
  br label %for.inc

for.inc:
  %inc = add i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  br label %return

return:
  %retval.0 = phi i32 [ %i.0, %if.then ], [ %n, %for.end ]
  ret i32 %retval.0
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
