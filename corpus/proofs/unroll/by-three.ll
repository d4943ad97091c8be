; Unrolled by three with all exit tests kept; the phi behind them has an entry for each.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.3, %body.2 ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.1 = add nuw i32 %i, 1
  %more.1 = icmp ult i32 %i.1, %n
  br i1 %more.1, label %body.1, label %exit

body.1:
  call void @observe(i32 noundef %i.1)
  %i.2 = add nuw i32 %i, 2
  %more.2 = icmp ult i32 %i.2, %n
  br i1 %more.2, label %body.2, label %exit

body.2:
  call void @observe(i32 noundef %i.2)
  %i.3 = add nuw i32 %i, 3
  br label %header

exit:
  %r = phi i32 [ %i, %header ], [ %i.1, %body ], [ %i.2, %body.1 ]
  ret i32 %r
}

declare void @observe(i32 noundef)
