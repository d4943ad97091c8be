; nsw is added to a sum of threes that is made of 700000000 at most.

define i32 @src(i32 %n) {
entry:
  %small = icmp ule i32 %n, 700000000
  br i1 %small, label %ph, label %none

ph:
  br label %header

none:
  ret i32 0

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %s = phi i32 [ 0, %ph ], [ %s.next, %body ]
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
  %small = icmp ule i32 %n, 700000000
  br i1 %small, label %ph, label %none

ph:
  br label %header

none:
  ret i32 0

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %s = phi i32 [ 0, %ph ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add nsw i32 %s, 3
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
