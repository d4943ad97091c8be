; What was loaded one and two iterations ago is carried in lanes, by eight at once, with a scalar loop for the rest.

define i16 @src(ptr %ptr) {
entry:
  br label %loop

loop:
  %for.1 = phi i16 [ 22, %entry ], [ %for.1.next, %loop ]
  %for.2 = phi i16 [ 33, %entry ], [ %for.1, %loop ]
  %iv = phi i64 [ 0, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i64 %iv, 1
  %gep.ptr = getelementptr inbounds i16, ptr %ptr, i64 %iv
  %for.1.next = load i16, ptr %gep.ptr, align 2
  %add = add i16 %for.1, %for.2
  store i16 %add, ptr %gep.ptr, align 2
  %exitcond.not = icmp eq i64 %iv.next, 1000
  br i1 %exitcond.not, label %exit, label %loop

exit:
  %res = add i16 %for.1, %for.2
  ret i16 %res
}

define i16 @tgt(ptr %ptr) {
entry:
  %min.iters.check = icmp uge i64 999, 8
  br i1 %min.iters.check, label %vector.ph, label %scalar.ph

vector.ph:
  %n.vec = and i64 999, -8
  %0 = insertelement <4 x i16> poison, i16 22, i64 3
  %1 = insertelement <4 x i16> poison, i16 33, i64 3
  br label %vector.body

vector.body:
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %2 = phi <4 x i16> [ %0, %vector.ph ], [ %10, %vector.body ]
  %3 = phi <4 x i16> [ %1, %vector.ph ], [ %12, %vector.body ]
  %4 = add i64 0, %index
  %5 = add nuw i64 %index, 4
  %6 = add i64 0, %5
  %7 = getelementptr inbounds i16, ptr %ptr, i64 %4
  %8 = getelementptr inbounds i16, ptr %ptr, i64 %6
  %9 = load <4 x i16>, ptr %7, align 2
  %10 = load <4 x i16>, ptr %8, align 2
  %11 = shufflevector <4 x i16> %2, <4 x i16> %9, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %12 = shufflevector <4 x i16> %9, <4 x i16> %10, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %13 = shufflevector <4 x i16> %3, <4 x i16> %11, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %14 = shufflevector <4 x i16> %11, <4 x i16> %12, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
  %15 = add <4 x i16> %11, %13
  %16 = add <4 x i16> %12, %14
  store <4 x i16> %15, ptr %7, align 2
  store <4 x i16> %16, ptr %8, align 2
  %index.next = add nuw i64 %index, 8
  %vector.done = icmp eq i64 %index.next, %n.vec
  br i1 %vector.done, label %middle.block, label %vector.body

middle.block:
  %17 = phi <4 x i16> [ %10, %vector.body ]
  %18 = phi <4 x i16> [ %12, %vector.body ]
  %19 = extractelement <4 x i16> %17, i64 3
  %20 = extractelement <4 x i16> %18, i64 3
  %21 = add i64 0, %n.vec
  br label %scalar.ph

scalar.ph:
  %resume = phi i16 [ 22, %entry ], [ %19, %middle.block ]
  %resume1 = phi i16 [ 33, %entry ], [ %20, %middle.block ]
  %resume2 = phi i64 [ 0, %entry ], [ %21, %middle.block ]
  br label %loop

loop:
  %for.1 = phi i16 [ %for.1.next, %loop ], [ %resume, %scalar.ph ]
  %for.2 = phi i16 [ %for.1, %loop ], [ %resume1, %scalar.ph ]
  %iv = phi i64 [ %iv.next, %loop ], [ %resume2, %scalar.ph ]
  %iv.next = add nuw nsw i64 %iv, 1
  %gep.ptr = getelementptr inbounds i16, ptr %ptr, i64 %iv
  %for.1.next = load i16, ptr %gep.ptr, align 2
  %add = add i16 %for.1, %for.2
  store i16 %add, ptr %gep.ptr, align 2
  %exitcond.not = icmp eq i64 %iv.next, 1000
  br i1 %exitcond.not, label %exit, label %loop

exit:
  %for.1.lcssa = phi i16 [ %for.1, %loop ]
  %for.2.lcssa = phi i16 [ %for.2, %loop ]
  %res = add i16 %for.1.lcssa, %for.2.lcssa
  ret i16 %res
}
