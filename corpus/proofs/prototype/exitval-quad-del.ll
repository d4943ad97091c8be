; The sum of 0 to n - 1 in closed form, by a product of twice the width; the loop is gone, as it must make progress.

define i32 @src_i32(i32 %n) mustprogress {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = add i32 %s, %i
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt_i32(i32 %n) mustprogress {
entry:
  %z = icmp eq i32 %n, 0
  br i1 %z, label %exit, label %body

body:
  %w = zext i32 %n to i64
  %wm = sub i64 %w, 1
  %p = mul i64 %w, %wm
  %h = lshr i64 %p, 1
  %t = trunc i64 %h to i32
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %t, %body ]
  ret i32 %r
}

define i64 @src_i64(i64 %n) mustprogress {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = add i64 %s, %i
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}

define i64 @tgt_i64(i64 %n) mustprogress {
entry:
  %z = icmp eq i64 %n, 0
  br i1 %z, label %exit, label %body

body:
  %w = zext i64 %n to i128
  %wm = sub i128 %w, 1
  %p = mul i128 %w, %wm
  %h = lshr i128 %p, 1
  %t = trunc i128 %h to i64
  br label %exit

exit:
  %r = phi i64 [ 0, %entry ], [ %t, %body ]
  ret i64 %r
}
