; iteration-set-split
; Two loops are more code than one, and the function is optimized for size.
declare void @use(i32)
define void @small(i32 %n, i32 %m) optsize {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %m
  br i1 %c, label %then, label %else
then:
  call void @use(i32 1)
  br label %latch
else:
  call void @use(i32 2)
  br label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %d = icmp ult i32 %i.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @fast(i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %m
  br i1 %c, label %then, label %else
then:
  call void @use(i32 1)
  br label %latch
else:
  call void @use(i32 2)
  br label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %d = icmp ult i32 %i.next, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
