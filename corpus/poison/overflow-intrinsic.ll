; A loop that leaves as soon as the addition would overflow, by the checked-addition intrinsic.

declare { i8, i1 } @llvm.sadd.with.overflow.i8(i8, i8)

define i8 @f(i8 %step) {
entry:
  br label %loop

loop:
  %x = phi i8 [ 0, %entry ], [ %x.next, %loop ]
  %k = phi i8 [ 0, %entry ], [ %k.next, %loop ]
  %pair = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %x, i8 %step)
  %x.next = extractvalue { i8, i1 } %pair, 0
  %over = extractvalue { i8, i1 } %pair, 1
  %k.next = add i8 %k, 1
  br i1 %over, label %exit, label %loop

exit:
  ret i8 %k
}
