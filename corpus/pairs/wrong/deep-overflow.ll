; An i16 sum is taken for free of signed overflow; the poison appears only after 33 iterations, deeper
; than a small bound reaches.
;
; Running it finds this, unrolling to a small bound does not: a bounded verdict must say that it is one.

define i16 @src(i16 %n) {
entry:
  br label %header

header:
  %i = phi i16 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i16 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i16 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i16 %s, 1000
  %i.next = add nuw i16 %i, 1
  br label %header

exit:
  ret i16 %s
}

define i16 @tgt(i16 %n) {
entry:
  br label %header

header:
  %i = phi i16 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i16 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i16 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add nsw i16 %s, 1000
  %i.next = add nuw i16 %i, 1
  br label %header

exit:
  ret i16 %s
}
