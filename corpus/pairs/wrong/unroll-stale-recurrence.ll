; Unrolled by two, but the second copy uses the first copy's value of the recurrence.

define i32 @src(i32 %half, i32 %x) {
entry:
  %n = shl nuw i32 %half, 1
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %a = phi i32 [ %x, %entry ], [ %a.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %t = shl i32 %a, 1
  %a.next = xor i32 %t, %i
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %a
}

define i32 @tgt(i32 %half, i32 %x) {
entry:
  %n = shl nuw i32 %half, 1
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.2, %body ]
  %a = phi i32 [ %x, %entry ], [ %a.2, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %t = shl i32 %a, 1
  %a.1 = xor i32 %t, %i
  %i.1 = add nuw i32 %i, 1
  %t.1 = shl i32 %a, 1
  %a.2 = xor i32 %t.1, %i.1
  %i.2 = add nuw i32 %i, 2
  br label %header

exit:
  ret i32 %a
}
