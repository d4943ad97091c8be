; A cell that every iteration loads and stores is kept in a register; it is stored behind the loop.

define i32 @src_i32(i32 noundef %n, ptr noundef %p) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %v = load i32, ptr %p, !noundef !0
  %w = add i32 %v, %i
  store i32 %w, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i32 0
}

define i32 @tgt_i32(i32 noundef %n, ptr noundef %p) {
entry:
  %v0 = load i32, ptr %p, !noundef !0
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %v = phi i32 [ %v0, %entry ], [ %w, %header ]
  %w = add i32 %v, %i
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  store i32 %w, ptr %p
  ret i32 0
}

define i64 @src_i64(i64 noundef %n, ptr noundef %p) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  %v = load i64, ptr %p, !noundef !0
  %w = add i64 %v, %i
  store i64 %w, ptr %p
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i64 0
}

define i64 @tgt_i64(i64 noundef %n, ptr noundef %p) {
entry:
  %v0 = load i64, ptr %p, !noundef !0
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  %v = phi i64 [ %v0, %entry ], [ %w, %header ]
  %w = add i64 %v, %i
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  store i64 %w, ptr %p
  ret i64 0
}

!0 = !{}
