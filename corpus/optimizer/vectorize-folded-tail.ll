; seven elements: a whole vector and three, which a second vector with a mask takes too
define i32 @seven(ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %from = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %from
  %to = getelementptr inbounds i32, ptr %b, i64 %i
  %w = mul i32 %v, 3
  store i32 %w, ptr %to
  %s.next = add i32 %s, %v
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 7
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %s.next, %loop ]
  ret i32 %r
}
