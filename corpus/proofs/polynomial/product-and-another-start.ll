; A sum of one number, with a start, becomes a product with the number instead of the start.
; Wrong for n = 0 and a = 3: the source returns 5, the target 3.

define i64 @src(i64 noundef %n, i64 noundef %a) mustprogress {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 5, %entry ], [ %s.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = add i64 %s, %a
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}

define i64 @tgt(i64 noundef %n, i64 noundef %a) mustprogress {
entry:
  %p = mul i64 %n, %a
  %r = add i64 %p, %a
  ret i64 %r
}
