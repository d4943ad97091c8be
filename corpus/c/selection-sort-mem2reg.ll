; Selection sort, as clang -O0 and mem2reg leaves it: sorts n bytes in place by selection of the
; least.
;
; C source: selection-sort.c

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define dso_local i32 @selection_sort(ptr noundef %a, i32 noundef %n) #0 {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc19, %for.inc18 ]
  %moves.0 = phi i32 [ 0, %entry ], [ %add17, %for.inc18 ]
  %cmp = icmp ult i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end20

for.body:
  %add = add i32 %i.0, 1
  br label %for.cond1

for.cond1:
  %least.0 = phi i32 [ %i.0, %for.body ], [ %least.1, %for.inc ]
  %j.0 = phi i32 [ %add, %for.body ], [ %inc, %for.inc ]
  %cmp2 = icmp ult i32 %j.0, %n
  br i1 %cmp2, label %for.body3, label %for.end

for.body3:
  %idxprom = zext i32 %j.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1
  %conv = sext i8 %0 to i32
  %idxprom4 = zext i32 %least.0 to i64
  %arrayidx5 = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom4
  %1 = load i8, ptr %arrayidx5, align 1
  %conv6 = sext i8 %1 to i32
  %cmp7 = icmp slt i32 %conv, %conv6
  br i1 %cmp7, label %if.then, label %if.end

if.then:
  br label %if.end

if.end:
  %least.1 = phi i32 [ %j.0, %if.then ], [ %least.0, %for.body3 ]
  br label %for.inc

for.inc:
  %inc = add i32 %j.0, 1
  br label %for.cond1, !llvm.loop !0

for.end:
  %idxprom9 = zext i32 %i.0 to i64
  %arrayidx10 = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom9
  %2 = load i8, ptr %arrayidx10, align 1
  %idxprom11 = zext i32 %least.0 to i64
  %arrayidx12 = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom11
  %3 = load i8, ptr %arrayidx12, align 1
  %idxprom13 = zext i32 %i.0 to i64
  %arrayidx14 = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom13
  store i8 %3, ptr %arrayidx14, align 1
  %idxprom15 = zext i32 %least.0 to i64
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %a, i64 %idxprom15
  store i8 %2, ptr %arrayidx16, align 1
  %sub = sub i32 %least.0, %i.0
  %add17 = add i32 %moves.0, %sub
  br label %for.inc18

for.inc18:
  %inc19 = add i32 %i.0, 1
  br label %for.cond, !llvm.loop !2

for.end20:
  ret i32 %moves.0
}

attributes #0 = { noinline nounwind }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
!2 = distinct !{!2, !1}
