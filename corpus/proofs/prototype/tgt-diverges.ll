; The target counts in twos up to n.
; Wrong for n = 1: it never gets there.

define i32 @src_i32(i32 noundef %n) {
entry:
  ret i32 7
}

define i32 @tgt_i32(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i2, %body ]
  %c = icmp ne i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i2 = add i32 %i, 2
  br label %header

exit:
  ret i32 7
}

define i64 @src_i64(i64 noundef %n) {
entry:
  ret i64 7
}

define i64 @tgt_i64(i64 noundef %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i2, %body ]
  %c = icmp ne i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i2 = add i64 %i, 2
  br label %header

exit:
  ret i64 7
}
