; A search by four lanes reads what the source never comes to: memory may end behind what is found.

define i64 @src(ptr noundef align 4 %p, i32 noundef %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at, align 4
  %found = icmp eq i32 %v, %x
  br i1 %found, label %exit, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i64 [ %i, %loop ], [ -1, %latch ]
  ret i64 %r
}

define i64 @tgt(ptr noundef align 4 %p, i32 noundef %x) {
entry:
  %one = insertelement <4 x i32> poison, i32 %x, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %v = load <4 x i32>, ptr %p, align 4
  %found = icmp eq <4 x i32> %v, %all
  %any = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %found)
  br i1 %any, label %early, label %exit

early:
  %lane = call i64 @llvm.experimental.cttz.elts.i64.v4i1(<4 x i1> %found, i1 true)
  br label %exit

exit:
  %r = phi i64 [ %lane, %early ], [ -1, %entry ]
  ret i64 %r
}

declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)
declare i64 @llvm.experimental.cttz.elts.i64.v4i1(<4 x i1>, i1)
