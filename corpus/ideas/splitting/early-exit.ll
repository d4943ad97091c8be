; The conditional block inverted into an early exit: iv increases strictly, the condition is monotonic
; and the path not taken has no observable effect.
; From loop-opt-ideas.rst: Internal Control Flow.
;
; Right because when n is never met inc would overflow, which is poison and reaches the branch: UB in the source.

define void @src(ptr %src, ptr %dst, i8 %a, i8 %n) {
loop.ph:
  br label %loop

loop:
  %iv = phi i8 [ %inc, %for.inc ], [ 1, %loop.ph ]
  %cmp = icmp slt i8 %iv, %a
  br i1 %cmp, label %if.then.2, label %for.inc

if.then.2:
  %src.arrayidx = getelementptr inbounds i8, ptr %src, i8 %iv
  %val = load i8, ptr %src.arrayidx
  %dst.arrayidx = getelementptr inbounds i8, ptr %dst, i8 %iv
  store i8 %val, ptr %dst.arrayidx
  br label %for.inc

for.inc:
  %inc = add nuw nsw i8 %iv, 1
  %cond = icmp eq i8 %inc, %n
  br i1 %cond, label %exit, label %loop

exit:
  ret void
}

define void @tgt(ptr %src, ptr %dst, i8 %a, i8 %n) {
loop.ph:
  br label %loop

loop:
  %iv = phi i8 [ %inc, %for.inc ], [ 1, %loop.ph ]
  %cmp = icmp sge i8 %iv, %a
  br i1 %cmp, label %exit, label %for.inc

for.inc:
  %src.arrayidx = getelementptr inbounds i8, ptr %src, i8 %iv
  %val = load i8, ptr %src.arrayidx
  %dst.arrayidx = getelementptr inbounds i8, ptr %dst, i8 %iv
  store i8 %val, ptr %dst.arrayidx
  %inc = add nuw nsw i8 %iv, 1
  %cond = icmp eq i8 %inc, %n
  br i1 %cond, label %exit, label %loop

exit:
  ret void
}
