; An exit test is asked before a call instead of behind it.
; Wrong for n = 0: the source observes 0, the target nothing.

define i32 @src(i32 noundef %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe(i32 noundef %i)
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %i.next = add nuw i32 %i, 1
  br label %loop

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %loop

exit:
  ret i32 %i
}

declare void @observe(i32 noundef)
