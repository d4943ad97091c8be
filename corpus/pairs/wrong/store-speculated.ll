; A conditional store made unconditional by writing back the old value: the source never wrote there,
; and the place may be read-only or null.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  store i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  %old = load i32, ptr %p
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %v = phi i32 [ %old, %entry ], [ %i, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  store i32 %v, ptr %p
  ret i32 %i
}
