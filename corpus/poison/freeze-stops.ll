; freeze of the bound gives one arbitrary but fixed value, so the loop is defined and no use sees
; poison.

define i32 @f(i32 %n) {
entry:
  %fr = freeze i32 %n
  %b = and i32 %fr, 3
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %b
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw nsw i32 %i, 1
  br label %header

exit:
  %d = sub i32 %i, %b
  ret i32 %d
}
