; A sum of 655s is kept in 16 bits, which it fits for the 100 additions that there may be.

define i32 @src(i32 %n) {
entry:
  %small = icmp ule i32 %n, 100
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
  %s.next = add i32 %s, 655
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 %n) {
entry:
  %small = icmp ule i32 %n, 100
  br i1 %small, label %ph, label %none

ph:
  br label %header

none:
  ret i32 0

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %s = phi i16 [ 0, %ph ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i16 %s, 655
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  %wide = zext i16 %s to i32
  ret i32 %wide
}
