; A loop that only counts is run downwards to zero instead of upwards to n.

define i32 @src(i32 %n, i32 %x) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %a = phi i32 [ %x, %entry ], [ %a.next, %body ]
  %more = icmp ne i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %a.next = mul i32 %a, 3
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %a
}

define i32 @tgt(i32 %n, i32 %x) {
entry:
  br label %header

header:
  %left = phi i32 [ %n, %entry ], [ %left.next, %body ]
  %a = phi i32 [ %x, %entry ], [ %a.next, %body ]
  %more = icmp ne i32 %left, 0
  br i1 %more, label %body, label %exit

body:
  %a.next = mul i32 %a, 3
  %left.next = add i32 %left, -1
  br label %header

exit:
  ret i32 %a
}
