; nuw is added to a counter that runs up to its bound by way of a wrap.
; Wrong for a = -1 and n = 1: behind the wrap the target observes poison.

define i32 @src_i32(i32 %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ %a, %entry ], [ %i.next, %header ]
  call void @observe.i32(i32 noundef %i)
  %i.next = add i32 %i, 1
  %c = icmp ne i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i32 %i.next
}

define i32 @tgt_i32(i32 %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ %a, %entry ], [ %i.next, %header ]
  call void @observe.i32(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  %c = icmp ne i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i32 %i.next
}

define i64 @src_i64(i64 %a, i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ %a, %entry ], [ %i.next, %header ]
  call void @observe.i64(i64 noundef %i)
  %i.next = add i64 %i, 1
  %c = icmp ne i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i64 %i.next
}

define i64 @tgt_i64(i64 %a, i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ %a, %entry ], [ %i.next, %header ]
  call void @observe.i64(i64 noundef %i)
  %i.next = add nuw i64 %i, 1
  %c = icmp ne i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i64 %i.next
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
