; The peeled first iteration leaves out the loop's exit test and falls into the loop for a trip count
; of one.

define i32 @src(i32 %n, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ %x, %entry ], [ %a.next, %loop ]
  %a.next = add i32 %a, 3
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %a.next
}

define i32 @tgt(i32 %n, i32 %x) {
entry:
  %a.0 = add i32 %x, 3
  br label %loop

loop:
  %i = phi i32 [ 1, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ %a.0, %entry ], [ %a.next, %loop ]
  %a.next = add i32 %a, 3
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %a.next
}
