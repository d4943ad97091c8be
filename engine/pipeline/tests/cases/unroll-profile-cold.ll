; loop-unroll<runtime>
; Code that is almost never executed does not count towards the cost of an iteration, a quarter of which is saved.
declare void @cold(i64)
define void @block(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %h = lshr i64 %i, 1
  %x = xor i64 %h, 1
  %y = mul i64 %x, 3
  %p = getelementptr i32, ptr %a, i64 %y
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  %c = icmp eq i32 %v, 77
  br i1 %c, label %big, label %latch, !prof !0
big:
  call void @cold(i64 1)
  call void @cold(i64 2)
  call void @cold(i64 3)
  call void @cold(i64 4)
  call void @cold(i64 5)
  call void @cold(i64 6)
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 100000}
