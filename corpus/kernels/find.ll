; The first element that is equal to a key: two exits, to blocks of their own.
;
; long find(const unsigned char *a, long n, unsigned char key) {
;   for (long i = 0; i < n; i++)
;     if (a[i] == key)
;       return i;
;   return -1;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i64 @find(ptr noundef %a, i64 noundef %n, i8 noundef zeroext %key) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i64 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %arrayidx = getelementptr inbounds i8, ptr %a, i64 %i.0
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
  %inc = add nsw i64 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  br label %return

return:
  %retval.0 = phi i64 [ %i.0, %if.then ], [ -1, %for.end ]
  ret i64 %retval.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
