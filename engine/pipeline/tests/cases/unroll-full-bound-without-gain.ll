; loop-unroll-full
; At most 43 iterations, each with an exit test: full unrolling would save nothing.
declare void @touch(i32)
define void @f(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  call void @touch(i32 0)
  %i.next = add nuw nsw i8 %i, 3
  %more = icmp slt i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; At most 31: the constants in each copy would pay off only if the loop always ran that many iterations.
define void @g(ptr %a, i32 %n) {
entry:
  %m = and i32 %n, 31
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i
  store volatile i32 %i, ptr %p
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, %m
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
