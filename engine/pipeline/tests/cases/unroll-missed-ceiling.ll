; loop-unroll<runtime;count=65536;threshold=4294967295>
; Whatever is asked for, there is a number of instructions that copies may not come to.
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
