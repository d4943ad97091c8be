; early-exit-inversion
; The condition becomes an exit.
define void @f(ptr %src, ptr %dst, i64 %a, i64 %n) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp slt i64 %iv, %a
  br i1 %cmp, label %if.then, label %for.inc
if.then:
  %from = getelementptr inbounds i64, ptr %src, i64 %iv
  %val = load i64, ptr %from
  %to = getelementptr inbounds i64, ptr %dst, i64 %iv
  store i64 %val, ptr %to
  br label %for.inc
for.inc:
  %inc = add nuw nsw i64 %iv, 1
  %cond = icmp eq i64 %inc, %n
  br i1 %cond, label %exit, label %loop
exit:
  ret void
}
