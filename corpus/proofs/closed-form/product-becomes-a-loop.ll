; A product becomes a loop of additions, which surely ends.

define i32 @src(i32 noundef %n, i32 noundef %q) {
entry:
  %r = mul i32 %n, %q
  ret i32 %r
}

define i32 @tgt(i32 noundef %n, i32 noundef %q) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ne i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i32 %s, %q
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
