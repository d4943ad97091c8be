; A loop without effect that must make progress is deleted, though it may run on forever.

define i32 @src_i32(i32 %n, i32 %a) mustprogress {
entry:
  br label %header

header:
  %i = phi i32 [ %a, %entry ], [ %i.next, %body ]
  %c = icmp ne i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add i32 %i, 2
  br label %header

exit:
  ret i32 7
}

define i32 @tgt_i32(i32 %n, i32 %a) mustprogress {
entry:
  ret i32 7
}

define i64 @src_i64(i64 %n, i64 %a) mustprogress {
entry:
  br label %header

header:
  %i = phi i64 [ %a, %entry ], [ %i.next, %body ]
  %c = icmp ne i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add i64 %i, 2
  br label %header

exit:
  ret i64 7
}

define i64 @tgt_i64(i64 %n, i64 %a) mustprogress {
entry:
  ret i64 7
}
