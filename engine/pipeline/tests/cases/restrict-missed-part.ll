; early-exit-inversion
; The changing part may be poison when other parts decide, and those parts are not a single value.
define void @f(ptr %src, ptr %dst, i64 %a, i64 %n, i1 %c) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp slt i64 %iv, %a
  %odd = and i64 %iv, 1
  %b = icmp eq i64 %odd, 0
  %inner = select i1 %b, i1 %cmp, i1 false
  %both = and i1 %inner, %c
  br i1 %both, label %if.then, label %for.inc
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
define void @rises(ptr %src, ptr %dst, i64 %a, i64 %n, i1 %c) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp sge i64 %iv, %a
  %both = and i1 %cmp, %c
  br i1 %both, label %if.then, label %for.inc
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
