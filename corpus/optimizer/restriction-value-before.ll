; what the loop leaves with is a phi of its header, which an idle iteration more brings up to date: where the loop ends in
; an iteration that takes the branch it is one behind, so that the bound can't be restricted
define i32 @before(i32 %a, i32 %n) {
entry:
  br label %header

header:
  %h = phi i32 [ 0, %entry ], [ %m, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp slt i32 %i, %a
  br i1 %more, label %taken, label %latch

taken:
  %next = add i32 %h, 5
  br label %latch

latch:
  %m = phi i32 [ %next, %taken ], [ %h, %header ]
  %i.next = add nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %header, label %exit

exit:
  %r = phi i32 [ %h, %latch ]
  ret i32 %r
}
