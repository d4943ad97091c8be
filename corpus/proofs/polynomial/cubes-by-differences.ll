; Cubes of a counter become three sums, by differences.

define i64 @src(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i64 %i, %i
  %c3 = mul i64 %m, %i
  %s.next = xor i64 %s, %c3
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}

define i64 @tgt(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %x = phi i64 [ 0, %entry ], [ %x.next, %body ]
  %y = phi i64 [ 1, %entry ], [ %y.next, %body ]
  %z = phi i64 [ 6, %entry ], [ %z.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = xor i64 %s, %x
  %x.next = add i64 %x, %y
  %y.next = add i64 %y, %z
  %z.next = add i64 %z, 6
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}
