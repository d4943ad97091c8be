; A sum that may be poison is hoisted out of a top-tested loop; its flag may stay, as poison alone is no undefined
; behaviour.

define i32 @src_i32(i32 %n, i32 %a, i32 %b) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %x = add nsw i32 %a, %b
  %s.next = xor i32 %s, %x
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt_i32(i32 %n, i32 %a, i32 %b) {
entry:
  %x = add nsw i32 %a, %b
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = xor i32 %s, %x
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i64 @src_i64(i64 %n, i64 %a, i64 %b) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %x = add nsw i64 %a, %b
  %s.next = xor i64 %s, %x
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}

define i64 @tgt_i64(i64 %n, i64 %a, i64 %b) {
entry:
  %x = add nsw i64 %a, %b
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %s.next = xor i64 %s, %x
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret i64 %s
}
