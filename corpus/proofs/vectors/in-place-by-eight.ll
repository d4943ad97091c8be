; Numbers are negated where they lie, in two parts of four lanes at once, with a scalar loop for the rest.

define void @src(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %in, %loop ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p, align 4
  %m = sub i32 0, %v
  store i32 %m, ptr %p, align 4
  %in = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %in, %n
  br i1 %c, label %exit, label %loop
exit:
  ret void
}

define void @tgt(ptr %a, i64 %n) {
entry:
  %0 = add i64 %n, -1
  %1 = freeze i64 %0
  %n1 = add i64 %1, 1
  %min.iters.check = icmp uge i64 %n1, 8
  br i1 %min.iters.check, label %vector.ph, label %scalar.ph

vector.ph:
  %n.vec = and i64 %n1, -8
  br label %vector.body

vector.body:
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %second = add nuw i64 %index, 4
  %p1 = getelementptr inbounds i32, ptr %a, i64 %index
  %p2 = getelementptr inbounds i32, ptr %a, i64 %second
  %v1 = load <4 x i32>, ptr %p1, align 4
  %v2 = load <4 x i32>, ptr %p2, align 4
  %m1 = sub <4 x i32> zeroinitializer, %v1
  %m2 = sub <4 x i32> zeroinitializer, %v2
  store <4 x i32> %m1, ptr %p1, align 4
  store <4 x i32> %m2, ptr %p2, align 4
  %index.next = add nuw i64 %index, 8
  %vector.done = icmp eq i64 %index.next, %n.vec
  br i1 %vector.done, label %middle.block, label %vector.body

middle.block:
  %cmp.n = icmp eq i64 %n1, %n.vec
  br i1 %cmp.n, label %exit, label %scalar.ph

scalar.ph:
  %resume = phi i64 [ 0, %entry ], [ %n.vec, %middle.block ]
  br label %loop

loop:
  %i = phi i64 [ %in, %loop ], [ %resume, %scalar.ph ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p, align 4
  %m = sub i32 0, %v
  store i32 %m, ptr %p, align 4
  %in = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %in, %n
  br i1 %c, label %exit.loopexit, label %loop

exit.loopexit:
  br label %exit

exit:
  ret void
}
