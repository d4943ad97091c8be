; A loop of which nobody knows whether it ends is deleted: it must make progress.

define i32 @src(i32 %n) mustprogress {
entry:
  br label %header

header:
  %x = phi i32 [ %n, %entry ], [ %x.next, %join ]
  %more = icmp ne i32 %x, 0
  br i1 %more, label %body, label %exit

body:
  %low = and i32 %x, 1
  %odd = icmp ne i32 %low, 0
  br i1 %odd, label %up, label %down

up:
  %x.up = mul i32 %x, 3
  %x.odd = add i32 %x.up, 1
  br label %join

down:
  %x.down = lshr i32 %x, 1
  br label %join

join:
  %x.next = phi i32 [ %x.odd, %up ], [ %x.down, %down ]
  br label %header

exit:
  ret i32 7
}

define i32 @tgt(i32 %n) mustprogress {
entry:
  ret i32 7
}
