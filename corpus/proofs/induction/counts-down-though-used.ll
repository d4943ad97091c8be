; A counter that is observed runs down to zero.
; Wrong for n = 2: the source observes 0 first, the target 2.

define void @src(i32 noundef %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %body

body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  ret void
}

define void @tgt(i32 noundef %n) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %body

body:
  %i = phi i32 [ %n, %entry ], [ %i.next, %body ]
  call void @observe(i32 noundef %i)
  %i.next = add i32 %i, -1
  %more = icmp ne i32 %i.next, 0
  br i1 %more, label %body, label %exit

exit:
  ret void
}

declare void @observe(i32 noundef)
