; bound-restriction
; If one part of a conjunction changes for good, that suffices; the other parts stay in the loop.
define void @and(ptr %src, ptr %dst, i64 %a, i64 %n, i1 %b) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp slt i64 %iv, %a
  %both = and i1 %cmp, %b
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
define void @select(ptr %src, ptr %dst, i64 %a, i64 %n) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp slt i64 %iv, %a
  %odd = and i64 %iv, 1
  %b = icmp eq i64 %odd, 0
  %both = select i1 %cmp, i1 %b, i1 false
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
define void @select_second(ptr %src, ptr %dst, i64 %a, i64 %n) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp slt i64 %iv, %a
  %odd = and i64 %iv, 1
  %b = icmp eq i64 %odd, 0
  %both = select i1 %b, i1 %cmp, i1 false
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
define void @or(ptr %src, ptr %dst, i64 %a, i64 %n) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp sge i64 %iv, %a
  %odd = and i64 %iv, 1
  %b = icmp eq i64 %odd, 0
  %either = or i1 %b, %cmp
  br i1 %either, label %for.inc, label %if.then
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
define void @two_bounds(ptr %src, ptr %dst, i64 %a, i64 %c, i64 %n) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp slt i64 %iv, %a
  %cmp2 = icmp slt i64 %iv, %c
  %both = select i1 %cmp, i1 %cmp2, i1 false
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
define void @deep(ptr %src, ptr %dst, i64 %a, i64 %n, i1 %b, i1 %c) mustprogress {
entry:
  br label %loop
loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %entry ]
  %cmp = icmp slt i64 %iv, %a
  %odd = and i64 %iv, 1
  %even = icmp eq i64 %odd, 0
  %inner = and i1 %cmp, %c
  %mid = select i1 %inner, i1 %b, i1 false
  %all = and i1 %even, %mid
  br i1 %all, label %if.then, label %for.inc
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
