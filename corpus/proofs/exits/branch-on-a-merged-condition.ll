; The exit depends on a condition that two ways through the iteration give; the target's branches give it in the other order.

define i32 @src(i32 noundef %n, i1 noundef %b) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %merge ]
  br i1 %b, label %test, label %merge

test:
  %small = icmp ult i32 %i, %n
  br label %merge

merge:
  %more = phi i1 [ %small, %test ], [ false, %loop ]
  %i.next = add i32 %i, 1
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n, i1 noundef %b) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %merge ]
  %small = icmp ult i32 %i, %n
  br i1 %small, label %test, label %merge

test:
  br label %merge

merge:
  %more = phi i1 [ %b, %test ], [ false, %loop ]
  %i.next = add i32 %i, 1
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i
}
