; Prefix sums: what an iteration stored is kept for the next in a register.

define void @src(ptr %p, i64 noundef %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 1, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.prev = sub nuw i64 %i, 1
  %at.prev = getelementptr inbounds i8, ptr %p, i64 %i.prev
  %v.prev = load i8, ptr %at.prev
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load i8, ptr %at
  %s = add i8 %v.prev, %v
  store i8 %s, ptr %at
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(ptr %p, i64 noundef %n) {
entry:
  %some = icmp ult i64 1, %n
  br i1 %some, label %preheader, label %exit

preheader:
  %first = load i8, ptr %p
  br label %body

body:
  %i = phi i64 [ 1, %preheader ], [ %i.next, %body ]
  %carried = phi i8 [ %first, %preheader ], [ %s, %body ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load i8, ptr %at
  %s = add i8 %carried, %v
  store i8 %s, ptr %at
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  ret void
}
