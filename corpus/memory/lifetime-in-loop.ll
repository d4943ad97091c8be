; The alloca lives anew in each iteration; a store after the end of its lifetime is undefined.

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

define i32 @f(i32 %n, i1 %late) {
entry:
  %x = alloca i32, align 4
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  call void @llvm.lifetime.start.p0(ptr %x)
  store i32 %i, ptr %x
  %v = load i32, ptr %x
  call void @llvm.lifetime.end.p0(ptr %x)
  br i1 %late, label %bad, label %latch

bad:
  store i32 1, ptr %x
  br label %latch

latch:
  %s.next = add i32 %s, %v
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
