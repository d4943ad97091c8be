; A loop without effect that may run on forever is deleted, though nothing demands progress of it.
; Wrong for n = 1 and a = 0: even numbers never meet 1.

define i32 @src_i32(i32 %n, i32 %a) {
entry:
  br label %header

header:
  %i = phi i32 [ %a, %entry ], [ %i.next, %body ]
  %c = icmp ne i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add i32 %i, 2
  br label %header

exit:
  ret i32 7
}

define i32 @tgt_i32(i32 %n, i32 %a) {
entry:
  ret i32 7
}

define i64 @src_i64(i64 %n, i64 %a) {
entry:
  br label %header

header:
  %i = phi i64 [ %a, %entry ], [ %i.next, %body ]
  %c = icmp ne i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add i64 %i, 2
  br label %header

exit:
  ret i64 7
}

define i64 @tgt_i64(i64 %n, i64 %a) {
entry:
  ret i64 7
}
