; A sum in two lanes, with a scalar loop for the rest: at its end the lanes are added up.

define i32 @src(ptr %a, i64 %n) {
entry:
  %z = icmp eq i64 %n, 0
  br i1 %z, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %in, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sn, %loop ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p, align 4, !noundef !0
  %sn = add i32 %s, %v
  %in = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %in, %n
  br i1 %c, label %loop, label %exit
exit:
  %r = phi i32 [ 0, %entry ], [ %sn, %loop ]
  ret i32 %r
}

define i32 @tgt(ptr %a, i64 %n) {
entry:
  %z = icmp eq i64 %n, 0
  br i1 %z, label %exit, label %loop.preheader

loop.preheader:
  %0 = add i64 %n, -1
  %1 = freeze i64 %0
  %n1 = add i64 %1, 1
  %min.iters.check = icmp uge i64 %n1, 2
  br i1 %min.iters.check, label %vector.ph, label %scalar.ph

vector.ph:
  %n.vec = and i64 %n1, -2
  %2 = insertelement <2 x i32> splat (i32 0), i32 0, i64 0
  br label %vector.body

vector.body:
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %3 = phi <2 x i32> [ %2, %vector.ph ], [ %7, %vector.body ]
  %4 = add i64 0, %index
  %5 = getelementptr inbounds i32, ptr %a, i64 %4
  %6 = load <2 x i32>, ptr %5, align 4
  %7 = add <2 x i32> %3, %6
  %index.next = add nuw i64 %index, 2
  %vector.done = icmp eq i64 %index.next, %n.vec
  br i1 %vector.done, label %middle.block, label %vector.body

middle.block:
  %8 = phi <2 x i32> [ %7, %vector.body ]
  %9 = add i64 0, %n.vec
  %10 = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %8)
  %cmp.n = icmp eq i64 %n1, %n.vec
  br i1 %cmp.n, label %exit.loopexit, label %scalar.ph

scalar.ph:
  %resume = phi i64 [ 0, %loop.preheader ], [ %9, %middle.block ]
  %resume1 = phi i32 [ 0, %loop.preheader ], [ %10, %middle.block ]
  br label %loop

loop:
  %i = phi i64 [ %in, %loop ], [ %resume, %scalar.ph ]
  %s = phi i32 [ %sn, %loop ], [ %resume1, %scalar.ph ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p, align 4, !noundef !0
  %sn = add i32 %s, %v
  %in = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %in, %n
  br i1 %c, label %loop, label %exit.loopexit1

exit.loopexit1:
  %sn.lcssa1 = phi i32 [ %sn, %loop ]
  br label %exit.loopexit

exit.loopexit:
  %sn.lcssa = phi i32 [ %10, %middle.block ], [ %sn.lcssa1, %exit.loopexit1 ]
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %sn.lcssa, %exit.loopexit ]
  ret i32 %r
}


declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)

!0 = !{}
