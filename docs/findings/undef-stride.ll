define void @f(ptr noalias %a, i64 %n, i64 %stride) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i32, ptr %a, i64 %at
  %v = load i32, ptr %p, align 4
  %i.next = add nuw nsw i64 %i, 1
  %q = getelementptr inbounds i32, ptr %a, i64 %i.next
  store i32 %v, ptr %q, align 4
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
