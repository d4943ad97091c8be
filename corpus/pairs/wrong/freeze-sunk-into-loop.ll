; A freeze before the loop is moved into it: each iteration may now see another value.

define i32 @src(i32 %x) {
entry:
  %fr = freeze i32 %x
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ 0, %entry ], [ %a.next, %loop ]
  %a.next = xor i32 %a, %fr
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 2
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %a.next
}

define i32 @tgt(i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi i32 [ 0, %entry ], [ %a.next, %loop ]
  %fr = freeze i32 %x
  %a.next = xor i32 %a, %fr
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 2
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %a.next
}
