; The store happens only while iv < a: the loop whose iteration set can be split at a.
; From loop-opt-ideas.rst: Internal Control Flow.

define void @f(ptr %src, ptr %dst, i64 %a, i64 %n) {
loop.ph:
  br label %loop

loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %loop.ph ]
  %cmp = icmp slt i64 %iv, %a
  br i1 %cmp, label %if.then.2, label %for.inc

if.then.2:
  %src.arrayidx = getelementptr inbounds i64, ptr %src, i64 %iv
  %val = load i64, ptr %src.arrayidx
  %dst.arrayidx = getelementptr inbounds i64, ptr %dst, i64 %iv
  store i64 %val, ptr %dst.arrayidx
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %iv, 1
  %cond = icmp eq i64 %inc, %n
  br i1 %cond, label %exit, label %loop

exit:
  ret void
}

define i64 @run(ptr %src, ptr %dst, i64 %a, i64 %n) {
entry:
  call void @f(ptr %src, ptr %dst, i64 %a, i64 %n)
  %at = getelementptr i64, ptr %dst, i64 2
  %r = load i64, ptr %at
  ret i64 %r
}
