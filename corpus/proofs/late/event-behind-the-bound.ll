; A branch on the counter that only the iterations beyond the bound would take is dropped.

define i32 @src(i32 noundef %n) {
entry:
  %small = icmp ule i32 %n, 21
  br i1 %small, label %ph, label %none

ph:
  br label %header

none:
  ret i32 %n

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = icmp ugt i32 %i, 20
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
  %small = icmp ule i32 %n, 21
  br i1 %small, label %ph, label %none

ph:
  br label %header

none:
  ret i32 %n

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

declare void @observe(i32 noundef)
