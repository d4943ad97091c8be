; A cell is kept in a register, but the early exit does not store it.
; Wrong for k = 0: the source stores 1, the target leaves 0.

define i32 @src(ptr %p, i32 noundef %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  %hit = icmp eq i32 %i, %k
  br i1 %hit, label %early, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %exit

early:
  ret i32 -1

exit:
  ret i32 %i.next
}

define i32 @tgt(ptr %p, i32 noundef %n, i32 noundef %k) {
entry:
  %v.0 = load i32, ptr %p
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = phi i32 [ %v.0, %entry ], [ %w, %latch ]
  %w = add i32 %v, 1
  %hit = icmp eq i32 %i, %k
  br i1 %hit, label %early, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %exit

early:
  ret i32 -1

exit:
  store i32 %w, ptr %p
  ret i32 %i.next
}
