; loop-unroll<count=2;runtime>
declare void @barrier() convergent
define void @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @barrier()
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @bound() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @barrier() [ "with"(i32 7) ]
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, 2
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
