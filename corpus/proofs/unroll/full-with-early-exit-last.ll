; A search of four iterations is unrolled in full, but where nothing is found the phi gets the last counter.
; Wrong for a = 1, where all answers are 0: the source returns -1, the target 3.

define i32 @src(i32 noundef %a) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = call noundef i32 @answer(i32 noundef %i)
  %hit = icmp eq i32 %v, %a
  br i1 %hit, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %header, label %exit

exit:
  %r = phi i32 [ %i, %header ], [ -1, %latch ]
  ret i32 %r
}

define i32 @tgt(i32 noundef %a) {
entry:
  %z = sub i32 %a, %a
  %v = call noundef i32 @answer(i32 noundef %z)
  %hit = icmp eq i32 %v, %a
  br i1 %hit, label %exit, label %header.1

header.1:
  %o = add i32 %z, 1
  %v.1 = call noundef i32 @answer(i32 noundef %o)
  %hit.1 = icmp eq i32 %v.1, %a
  br i1 %hit.1, label %exit, label %header.2

header.2:
  %t = add i32 %z, 2
  %v.2 = call noundef i32 @answer(i32 noundef %t)
  %hit.2 = icmp eq i32 %v.2, %a
  br i1 %hit.2, label %exit, label %header.3

header.3:
  %u = add i32 %z, 3
  %v.3 = call noundef i32 @answer(i32 noundef %u)
  %hit.3 = icmp eq i32 %v.3, %a
  br i1 %hit.3, label %exit, label %none

none:
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ 1, %header.1 ], [ 2, %header.2 ], [ 3, %header.3 ], [ 3, %none ]
  ret i32 %r
}

declare noundef i32 @answer(i32 noundef)
