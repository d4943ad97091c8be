; A loop that counts down to zero ends for every start, by at most one wrap: it is deleted.

define i32 @src(i32 %n) {
entry:
  br label %header

header:
  %x = phi i32 [ %n, %entry ], [ %x.next, %body ]
  %more = icmp ne i32 %x, 0
  br i1 %more, label %body, label %exit

body:
  %x.next = sub i32 %x, 1
  br label %header

exit:
  ret i32 7
}

define i32 @tgt(i32 %n) {
entry:
  ret i32 7
}
