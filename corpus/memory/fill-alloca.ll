; A local array filled in one loop and summed in another.

define i32 @f(i32 %n) {
entry:
  %a = alloca [4 x i32], align 16
  br label %fill

fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %at = getelementptr inbounds [4 x i32], ptr %a, i32 0, i32 %i
  %sq = mul i32 %i, %i
  store i32 %sq, ptr %at
  %i.next = add nuw nsw i32 %i, 1
  %fill.more = icmp ne i32 %i.next, 4
  br i1 %fill.more, label %fill, label %sum

sum:
  %j = phi i32 [ 0, %fill ], [ %j.next, %sum.body ]
  %s = phi i32 [ 0, %fill ], [ %s.next, %sum.body ]
  %more = icmp ult i32 %j, %n
  br i1 %more, label %sum.body, label %exit

sum.body:
  %at.j = getelementptr inbounds [4 x i32], ptr %a, i32 0, i32 %j
  %v = load i32, ptr %at.j
  %s.next = add i32 %s, %v
  %j.next = add nuw i32 %j, 1
  br label %sum

exit:
  ret i32 %s
}
