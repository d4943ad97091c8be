; A counter that only counts the iterations runs down to zero.

define i32 @src(i32 noundef %n, i32 noundef %a) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %body

body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %x = phi i32 [ %a, %entry ], [ %x.next, %body ]
  %x.next = call noundef i32 @answer(i32 noundef %x)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  %r = phi i32 [ %a, %entry ], [ %x.next, %body ]
  ret i32 %r
}

define i32 @tgt(i32 noundef %n, i32 noundef %a) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %body

body:
  %left = phi i32 [ %n, %entry ], [ %left.next, %body ]
  %x = phi i32 [ %a, %entry ], [ %x.next, %body ]
  %x.next = call noundef i32 @answer(i32 noundef %x)
  %left.next = add i32 %left, -1
  %more = icmp ne i32 %left.next, 0
  br i1 %more, label %body, label %exit

exit:
  %r = phi i32 [ %a, %entry ], [ %x.next, %body ]
  ret i32 %r
}

declare noundef i32 @answer(i32 noundef)
