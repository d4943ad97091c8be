; A bottom-tested counter runs up to n, and all the way round for n = 0; the wider counter has the bound 0 then.
; Wrong for n = 0 after 2^32 iterations: the source returns, the target goes on.

define void @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %wide = zext i32 %i to i64
  call void @observe.i64(i64 noundef %wide)
  %i.next = add i32 %i, 1
  %more = icmp ne i32 %i.next, %n
  br i1 %more, label %header, label %exit

exit:
  ret void
}

define void @tgt(i32 noundef %n) {
entry:
  %n.wide = zext i32 %n to i64
  %count = add nuw i64 %n.wide, 0
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %header ]
  call void @observe.i64(i64 noundef %i)
  %i.next = add nuw i64 %i, 1
  %more = icmp ne i64 %i.next, %count
  br i1 %more, label %header, label %exit

exit:
  ret void
}

declare void @observe.i64(i64 noundef)
