; The latch is entered by two ways, of which one does not advance the counter in the target.
; Wrong for n = 1 and k = 0: the target stays at 0.

define i32 @src(i32 noundef %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %skip = icmp eq i32 %i, %k
  %step = select i1 %skip, i32 0, i32 1
  %i.next = add nuw i32 %i, %step
  br label %header

exit:
  ret i32 %i
}
