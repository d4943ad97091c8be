; i * 12 replaced by a second induction variable that steps by 12.

define i32 @src(i32 %n, i32 %x) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ %x, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %m = mul i32 %i, 12
  %s.next = xor i32 %s, %m
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 %n, i32 %x) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %m = phi i32 [ 0, %entry ], [ %m.next, %body ]
  %s = phi i32 [ %x, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = xor i32 %s, %m
  %m.next = add i32 %m, 12
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
