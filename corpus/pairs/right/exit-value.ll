; The value of the counter after the loop is computed without the loop's help: umax(n, 1).

define i32 @src(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}

define i32 @tgt(i32 %n) {
entry:
  %r = call i32 @llvm.umax.i32(i32 %n, i32 1)
  ret i32 %r
}

declare i32 @llvm.umax.i32(i32, i32)
