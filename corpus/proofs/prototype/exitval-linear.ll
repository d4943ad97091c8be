; The value of a recurrence behind the loop is computed from the trip count: 3·max(n, 1) + 5.

define i32 @src_i32(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i32 [ 5, %entry ], [ %x.next, %header ]
  call void @observe.i32(i32 noundef %i)
  %x.next = add i32 %x, 3
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i32 %x.next
}

define i32 @tgt_i32(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  call void @observe.i32(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %nm = call i32 @llvm.umax.i32(i32 %n, i32 1)
  %t = mul i32 %nm, 3
  %r = add i32 %t, 5
  ret i32 %r
}

define i64 @src_i64(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i64 [ 5, %entry ], [ %x.next, %header ]
  call void @observe.i64(i64 noundef %i)
  %x.next = add i64 %x, 3
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i64 %x.next
}

define i64 @tgt_i64(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  call void @observe.i64(i64 noundef %i)
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %nm = call i64 @llvm.umax.i64(i64 %n, i64 1)
  %t = mul i64 %nm, 3
  %r = add i64 %t, 5
  ret i64 %r
}

declare i32 @llvm.umax.i32(i32, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
