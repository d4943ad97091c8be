; loop-unroll<runtime;count=4>
declare void @conv(i32) convergent
define void @convf(i32 %n, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %in, %loop ]
  call void @conv(i32 %x)
  %in = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %in, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
