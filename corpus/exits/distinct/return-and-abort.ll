; One exit returns, the other ends in a call that does not return.

declare void @abort() noreturn nounwind

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %i.next = add nuw i32 %i, 1
  %neg = icmp slt i8 %v, 0
  br i1 %neg, label %fail, label %header

fail:
  call void @abort() noreturn nounwind
  unreachable

exit:
  ret i32 %i
}
