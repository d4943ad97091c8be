; memset and memcpy of a constant length inside a loop.

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i32 @f(ptr %p, i32 %n) {
entry:
  %tmp = alloca [4 x i8], align 4
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add nuw i32 %i, 1
  %b = trunc i32 %i.next to i8
  call void @llvm.memset.p0.i64(ptr %tmp, i8 %b, i64 4, i1 false)
  store i8 9, ptr %tmp
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %tmp, i64 4, i1 false)
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}
