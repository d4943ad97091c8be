; A loop without effect that surely ends is deleted.

define i32 @src_i32(i32 %n, i32 %a) {
entry:
  br label %header

header:
  %i = phi i32 [ %a, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 7
}

define i32 @tgt_i32(i32 %n, i32 %a) {
entry:
  ret i32 7
}

define i64 @src_i64(i64 %n, i64 %a) {
entry:
  br label %header

header:
  %i = phi i64 [ %a, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 7
}

define i64 @tgt_i64(i64 %n, i64 %a) {
entry:
  ret i64 7
}
