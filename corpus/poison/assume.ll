; A loop that assumes of each element that it is not zero.

declare void @llvm.assume(i1)

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %nz = icmp ne i8 %v, 0
  call void @llvm.assume(i1 %nz)
  %w = zext i8 %v to i32
  %q = udiv i32 60, %w
  %s.next = add i32 %s, %q
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
