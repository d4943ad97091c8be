; The store happens only while iv < a and where iv is odd: the loop need not make the iterations from a on, odd or not.
; From loop-opt-ideas.rst: Internal Control Flow, where the condition has a second part.

define void @f(ptr %dst, i64 %a, i64 %n) {
loop.ph:
  br label %loop

loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %loop.ph ]
  %cmp = icmp slt i64 %iv, %a
  %odd = and i64 %iv, 1
  %set = icmp ne i64 %odd, 0
  %both = select i1 %cmp, i1 %set, i1 false
  br i1 %both, label %if.then.2, label %for.inc

if.then.2:
  %dst.arrayidx = getelementptr inbounds i8, ptr %dst, i64 %iv
  store i8 7, ptr %dst.arrayidx
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %iv, 1
  %cond = icmp eq i64 %inc, %n
  br i1 %cond, label %exit, label %loop

exit:
  ret void
}

; The part that changes stands behind the other one, and may be poison where that decides.
define void @second(ptr %dst, i64 %a, i64 %n) {
loop.ph:
  br label %loop

loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %loop.ph ]
  %odd = and i64 %iv, 1
  %set = icmp ne i64 %odd, 0
  %cmp = icmp slt i64 %iv, %a
  %both = select i1 %set, i1 %cmp, i1 false
  br i1 %both, label %if.then.2, label %for.inc

if.then.2:
  %dst.arrayidx = getelementptr inbounds i8, ptr %dst, i64 %iv
  store i8 7, ptr %dst.arrayidx
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %iv, 1
  %cond = icmp eq i64 %inc, %n
  br i1 %cond, label %exit, label %loop

exit:
  ret void
}

; The same with `or` of what must not be, and two bounds.
define void @either(ptr %dst, i64 %a, i64 %c, i64 %n) {
loop.ph:
  br label %loop

loop:
  %iv = phi i64 [ %inc, %for.inc ], [ 1, %loop.ph ]
  %over.a = icmp sge i64 %iv, %a
  %over.c = icmp sge i64 %iv, %c
  %over = or i1 %over.a, %over.c
  br i1 %over, label %for.inc, label %if.then.2

if.then.2:
  %dst.arrayidx = getelementptr inbounds i8, ptr %dst, i64 %iv
  store i8 7, ptr %dst.arrayidx
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %iv, 1
  %cond = icmp eq i64 %inc, %n
  br i1 %cond, label %exit, label %loop

exit:
  ret void
}

define i32 @run(ptr %dst, i64 %a, i64 %n) {
entry:
  call void @second(ptr %dst, i64 %a, i64 %n)
  %r = load i32, ptr %dst
  ret i32 %r
}
