; loop-unroll-full<machine=in-order>
; Full unrolling would save one branch per iteration, but exceed the smallest cache of the machine.
define void @f(ptr %a, ptr %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %q = getelementptr i32, ptr %b, i64 %i
  %v = load i32, ptr %p
  %w = load i32, ptr %q
  %s = mul i32 %v, %w
  store i32 %s, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, 44
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
