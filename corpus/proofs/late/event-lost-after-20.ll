; A branch on the counter is taken for dead.
; Wrong for n = 21: the source observes 20.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = icmp eq i32 %i, 20
  br i1 %at, label %event, label %latch

event:
  call void @observe(i32 noundef %i)
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

declare void @observe(i32 noundef)
