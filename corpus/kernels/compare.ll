; Compares two strings: three exits.
;
; int compare(const char *a, const char *b, unsigned long n) {
;   for (unsigned long i = 0; i < n; i++) {
;     if (a[i] != b[i])
;       return a[i] < b[i] ? -1 : 1;
;     if (a[i] == 0)
;       return 0;
;   }
;   return 0;
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @compare(ptr noundef %a, ptr noundef %b, i64 noundef %n) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %i.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:
  %arrayidx = getelementptr inbounds nuw i8, ptr %a, i64 %i.0
  %0 = load i8, ptr %arrayidx, align 1
  %conv = sext i8 %0 to i32
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %b, i64 %i.0
  %1 = load i8, ptr %arrayidx1, align 1
  %conv2 = sext i8 %1 to i32
  %cmp3 = icmp ne i32 %conv, %conv2
  br i1 %cmp3, label %if.then, label %if.end

if.then:
  %arrayidx5 = getelementptr inbounds nuw i8, ptr %a, i64 %i.0
  %2 = load i8, ptr %arrayidx5, align 1
  %conv6 = sext i8 %2 to i32
  %arrayidx7 = getelementptr inbounds nuw i8, ptr %b, i64 %i.0
  %3 = load i8, ptr %arrayidx7, align 1
  %conv8 = sext i8 %3 to i32
  %cmp9 = icmp slt i32 %conv6, %conv8
  %4 = zext i1 %cmp9 to i64
  %cond = select i1 %cmp9, i32 -1, i32 1
  br label %return

if.end:
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %a, i64 %i.0
  %5 = load i8, ptr %arrayidx11, align 1
  %conv12 = sext i8 %5 to i32
  %cmp13 = icmp eq i32 %conv12, 0
  br i1 %cmp13, label %if.then15, label %if.end16

if.then15:
  br label %return

if.end16:
  br label %for.inc

for.inc:
  %inc = add i64 %i.0, 1
  br label %for.cond, !llvm.loop !0

for.end:
  br label %return

return:
  %retval.0 = phi i32 [ %cond, %if.then ], [ 0, %if.then15 ], [ 0, %for.end ]
  ret i32 %retval.0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
