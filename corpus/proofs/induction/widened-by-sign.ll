; A counter of 32 bits without signed overflow becomes one of 64 bits.

define void @src(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %wide = sext i32 %i to i64
  call void @observe.i64(i64 noundef %wide)
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(i32 %n) {
entry:
  %n.wide = sext i32 %n to i64
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i64 %i, %n.wide
  br i1 %more, label %body, label %exit

body:
  call void @observe.i64(i64 noundef %i)
  %i.next = add nuw nsw i64 %i, 1
  br label %header

exit:
  ret void
}

declare void @observe.i64(i64 noundef)
