; Three exits that can be counted, all leading to blocks of their own.
;
; int three_exits(int *a, int n, int m, int k) {
;   int i = 0;
;   for (;;) {
;     if (i >= n)
;       return 1;
;     if (i >= m)
;       return 2;
;     a[i] = a[i] + k;
;     if (i == k)
;       return 3;
;     i++;
;   }
; }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @three_exits(ptr noundef %a, i32 noundef %n, i32 noundef %m, i32 noundef %k) nounwind {
entry:
  br label %for.cond

for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %if.end8 ]
  %cmp = icmp sge i32 %i.0, %n
  br i1 %cmp, label %if.then, label %if.end

if.then:
  br label %return

if.end:
  %cmp1 = icmp sge i32 %i.0, %m
  br i1 %cmp1, label %if.then2, label %if.end3

if.then2:
  br label %return

if.end3:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %a, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4
  %add = add nsw i32 %0, %k
  %idxprom4 = sext i32 %i.0 to i64
  %arrayidx5 = getelementptr inbounds i32, ptr %a, i64 %idxprom4
  store i32 %add, ptr %arrayidx5, align 4
  %cmp6 = icmp eq i32 %i.0, %k
  br i1 %cmp6, label %if.then7, label %if.end8

if.then7:
  br label %return

if.end8:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond

return:
  %retval.0 = phi i32 [ 1, %if.then ], [ 2, %if.then2 ], [ 3, %if.then7 ]
  ret i32 %retval.0
}
