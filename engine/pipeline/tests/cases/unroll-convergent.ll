; loop-unroll<runtime;partial;count=4>
; Convergent calls are copied if each copy executes under the same conditions, but not into a remainder loop.
declare void @sync() convergent
define void @full() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @sync()
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, 3
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @partial() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @sync()
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, 4096
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @at_run_time(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @sync()
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
