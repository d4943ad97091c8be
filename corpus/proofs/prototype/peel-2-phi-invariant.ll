; Two iterations are peeled: from then on both phis hold the invariant d.

define i32 @src_i32(i32 %n, i32 %a, i32 %b, i32 noundef %d) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i32 [ %a, %entry ], [ %y, %header ]
  %y = phi i32 [ %b, %entry ], [ %d, %header ]
  call void @observe.i32(i32 noundef %x)
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i32 %x
}

define i32 @tgt_i32(i32 %n, i32 %a, i32 %b, i32 noundef %d) {
entry:
  call void @observe.i32(i32 noundef %a)
  %c0 = icmp ult i32 1, %n
  br i1 %c0, label %second, label %exit

second:
  call void @observe.i32(i32 noundef %b)
  %c1 = icmp ult i32 2, %n
  br i1 %c1, label %header, label %exit

header:
  %i = phi i32 [ 2, %second ], [ %i.next, %header ]
  call void @observe.i32(i32 noundef %d)
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i32 [ %a, %entry ], [ %b, %second ], [ %d, %header ]
  ret i32 %r
}

define i64 @src_i64(i64 %n, i64 %a, i64 %b, i64 noundef %d) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  %x = phi i64 [ %a, %entry ], [ %y, %header ]
  %y = phi i64 [ %b, %entry ], [ %d, %header ]
  call void @observe.i64(i64 noundef %x)
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i64 %x
}

define i64 @tgt_i64(i64 %n, i64 %a, i64 %b, i64 noundef %d) {
entry:
  call void @observe.i64(i64 noundef %a)
  %c0 = icmp ult i64 1, %n
  br i1 %c0, label %second, label %exit

second:
  call void @observe.i64(i64 noundef %b)
  %c1 = icmp ult i64 2, %n
  br i1 %c1, label %header, label %exit

header:
  %i = phi i64 [ 2, %second ], [ %i.next, %header ]
  call void @observe.i64(i64 noundef %d)
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i64 [ %a, %entry ], [ %b, %second ], [ %d, %header ]
  ret i64 %r
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
