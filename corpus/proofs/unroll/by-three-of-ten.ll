; Ten iterations unrolled by three, with only every third exit test left.
; Wrong for every input: the target goes past 10.

define i32 @src(i32 noundef %a) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i32 [ %a, %entry ], [ %x.next, %loop ]
  %x.next = call noundef i32 @answer(i32 noundef %x)
  %i.next = add nuw i32 %i, 1
  %more = icmp ne i32 %i.next, 10
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %x.next
}

define i32 @tgt(i32 noundef %a) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i32 [ %a, %entry ], [ %x.3, %loop ]
  %x.1 = call noundef i32 @answer(i32 noundef %x)
  %x.2 = call noundef i32 @answer(i32 noundef %x.1)
  %x.3 = call noundef i32 @answer(i32 noundef %x.2)
  %i.next = add nuw i32 %i, 3
  %more = icmp ult i32 %i.next, 10
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %x.3
}

declare noundef i32 @answer(i32 noundef)
