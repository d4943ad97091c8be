; nsw is added to a counter with an unsigned bound.
; Wrong for every n with the sign bit set, in the last iteration below the sign bit: after 2^31 iterations in 32 bits
; and 2^63 in 64. No run can be that long at 64 bits.

define i32 @src_i32(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  call void @observe.i32(i32 noundef %i.next)
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt_i32(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add nuw nsw i32 %i, 1
  call void @observe.i32(i32 noundef %i.next)
  br label %header

exit:
  ret i32 %i
}

define i64 @src_i64(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add nuw i64 %i, 1
  call void @observe.i64(i64 noundef %i.next)
  br label %header

exit:
  ret i64 %i
}

define i64 @tgt_i64(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %i.next = add nuw nsw i64 %i, 1
  call void @observe.i64(i64 noundef %i.next)
  br label %header

exit:
  ret i64 %i
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
