; nsw is added to a sum of threes, which passes 2^31 - 1 after 715827883 additions.
; Wrong for n = 715827883: the target returns poison. A run that shows it has more than 3·10^9 steps.

define i32 @src(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i32 %s, 3
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add nsw i32 %s, 3
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
