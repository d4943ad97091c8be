; A loop that adds 5 for each iteration becomes a product with the trip count of its header.
; Wrong for n = 0: the source returns 0, the target 5.

define i32 @src(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i32 %s, 5
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(i32 %n) {
entry:
  %count = add i32 %n, 1
  %r = mul i32 %count, 5
  ret i32 %r
}
