; A product becomes a loop that adds twice in each iteration.
; Wrong for n = 1: the counter never gets there.

define i32 @src(i32 noundef %n) {
entry:
  %r = mul i32 %n, 6
  ret i32 %r
}

define i32 @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ne i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i32 %s, 12
  %i.next = add i32 %i, 2
  br label %header

exit:
  ret i32 %s
}
