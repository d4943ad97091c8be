; Six iterations that add 0 to 5 become one addition of 15.

define i32 @src_i32(i32 noundef %a) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i32 [ %a, %entry ], [ %x.next, %header ]
  %x.next = add i32 %x, %i
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, 6
  br i1 %c, label %header, label %exit

exit:
  ret i32 %x.next
}

define i32 @tgt_i32(i32 noundef %a) {
entry:
  %r = add i32 %a, 15
  ret i32 %r
}

define i64 @src_i64(i64 noundef %a) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i64 [ %a, %entry ], [ %x.next, %header ]
  %x.next = add i64 %x, %i
  %i.next = add i64 %i, 1
  %c = icmp ult i64 %i.next, 6
  br i1 %c, label %header, label %exit

exit:
  ret i64 %x.next
}

define i64 @tgt_i64(i64 noundef %a) {
entry:
  %r = add i64 %a, 15
  ret i64 %r
}
