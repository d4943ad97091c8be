; The sum of n down to 1 in closed form, of which the target leaves out n.
; Wrong for n = 1: the source returns 1, the target 0.

define i64 @src(i64 %n) mustprogress {
entry:
  br label %header

header:
  %i = phi i64 [ %n, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ne i64 %i, 0
  br i1 %c, label %body, label %exit

body:
  %s.next = add i64 %s, %i
  %i.next = sub i64 %i, 1
  br label %header

exit:
  ret i64 %s
}

define i64 @tgt(i64 %n) mustprogress {
entry:
  %w = zext i64 %n to i128
  %wm = sub i128 %w, 1
  %p = mul i128 %w, %wm
  %h = lshr i128 %p, 1
  %r = trunc i128 %h to i64
  ret i64 %r
}
