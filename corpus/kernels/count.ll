; How many elements are equal to a key.
;
; int count(const int *a, int n, int key) {
;   int c = 0;
;   for (int i = 0; i < n; i++)
;     if (a[i] == key)
;       c++;
;   return c;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @count(ptr noundef %a, i32 noundef %n, i32 noundef %key) nounwind {
entry:
  br label %for.cond

for.cond:
  %c.0 = phi i32 [ 0, %entry ], [ %c.1, %for.inc ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc2, %for.inc ]
  %cmp = icmp slt i32 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %cmp1 = icmp eq i32 %0, %key
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %inc = add nsw i32 %c.0, 1
  br label %if.end

if.end:
  %c.1 = phi i32 [ %inc, %if.then ], [ %c.0, %for.body ]
  br label %for.inc

for.inc:
  %inc2 = add nsw i32 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  ret i32 %c.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
