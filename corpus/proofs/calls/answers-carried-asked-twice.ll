; A loop that asks until the answer is 0 is rotated, but its peeled copy asks again.
; Wrong for a = 1, where the first answer is 0: the target asks a second time.

define i32 @src(i32 noundef %a) {
entry:
  br label %header

header:
  %x = phi i32 [ %a, %entry ], [ %x.next, %body ]
  %more = icmp ne i32 %x, 0
  br i1 %more, label %body, label %exit

body:
  %x.next = call noundef i32 @answer(i32 noundef %x)
  br label %header

exit:
  ret i32 1
}

define i32 @tgt(i32 noundef %a) {
entry:
  %some = icmp ne i32 %a, 0
  br i1 %some, label %first, label %exit

first:
  %x.first = call noundef i32 @answer(i32 noundef %a)
  br label %body

body:
  %x = phi i32 [ %x.first, %first ], [ %x.next, %body ]
  %x.next = call noundef i32 @answer(i32 noundef %x)
  %more = icmp ne i32 %x.next, 0
  br i1 %more, label %body, label %exit

exit:
  ret i32 1
}

declare noundef i32 @answer(i32 noundef)
