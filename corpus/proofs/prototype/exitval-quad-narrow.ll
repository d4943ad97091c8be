; The sum of 0 to n - 1 in closed form, by a product that wraps before it is halved.
; Wrong for n = 65537 in 32 bits: 2147516416 and 32768. In 64 bits it is wrong from n = 2^32 + 1 on; a run that shows
; it takes as many iterations.

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
  %nm = sub i32 %n, 1
  %p = mul i32 %n, %nm
  %h = lshr i32 %p, 1
  ret i32 %h
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
  %nm = sub i64 %n, 1
  %p = mul i64 %n, %nm
  %h = lshr i64 %p, 1
  ret i64 %h
}
