; The index wraps around at 256 in place of 128: the first 128 stores are the same.

define void @src(ptr %p, i32 noundef %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %at = and i32 %i, 127
  %slot = getelementptr i32, ptr %p, i32 %at
  store i32 %i, ptr %slot
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @tgt(ptr %p, i32 noundef %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %at = and i32 %i, 255
  %slot = getelementptr i32, ptr %p, i32 %at
  store i32 %i, ptr %slot
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
