; The exit test of a loop that counts in threes is made one for inequality. The target may step over the bound, but 3
; is odd: it comes round and meets every bound in the end, and nothing else tells how long that took.

define i32 @src(i32 noundef %n) {
entry:
  %small = icmp ule i32 %n, 1000
  br i1 %small, label %ph, label %exit

ph:
  br label %header

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 3
  br label %header

exit:
  ret i32 1
}

define i32 @tgt(i32 noundef %n) {
entry:
  %small = icmp ule i32 %n, 1000
  br i1 %small, label %ph, label %exit

ph:
  br label %header

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %more = icmp ne i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 3
  br label %header

exit:
  ret i32 1
}
