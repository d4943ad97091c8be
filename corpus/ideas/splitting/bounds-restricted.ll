; The conditional block's loop with its bounds restricted to smin(n, a) behind a guard: the document's
; pseudo code with its edge conditions put right.
; From loop-opt-ideas.rst: Internal Control Flow.
;
; iv starts at 1 and inc is nsw, so n below 2 means that nsw is violated before the exit (inc passes SMAX); the
; target may do anything then that the source's poison branch allows, and here takes a - 1 stores at most.

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
  %some = icmp sgt i8 %a, 1
  %min = call i8 @llvm.smin.i8(i8 %n, i8 %a)
  br i1 %some, label %loop.ph.split, label %exit

loop.ph.split:
  br label %loop

loop:
  %iv = phi i8 [ %inc, %loop ], [ 1, %loop.ph.split ]
  %src.arrayidx = getelementptr inbounds i8, ptr %src, i8 %iv
  %val = load i8, ptr %src.arrayidx
  %dst.arrayidx = getelementptr inbounds i8, ptr %dst, i8 %iv
  store i8 %val, ptr %dst.arrayidx
  %inc = add nuw nsw i8 %iv, 1
  %cond = icmp sge i8 %inc, %min
  br i1 %cond, label %exit, label %loop

exit:
  ret void
}

declare i8 @llvm.smin.i8(i8, i8)

define i32 @run.src(ptr %src, ptr %dst, i8 %a, i8 %n) {
entry:
  call void @src(ptr %src, ptr %dst, i8 %a, i8 %n)
  %r = load i32, ptr %dst
  ret i32 %r
}

define i32 @run.tgt(ptr %src, ptr %dst, i8 %a, i8 %n) {
entry:
  call void @tgt(ptr %src, ptr %dst, i8 %a, i8 %n)
  %r = load i32, ptr %dst
  ret i32 %r
}
