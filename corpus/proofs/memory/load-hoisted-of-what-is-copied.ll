; A byte is copied over an array, and its load hoisted: should it lie in the array, it is overwritten by itself.

define void @src(ptr %p, ptr %q, i64 noundef %n) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  br label %body

body:
  %i = phi i64 [ 0, %preheader ], [ %i.next, %body ]
  %v = load i8, ptr %q
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 %v, ptr %at
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  ret void
}

define void @tgt(ptr %p, ptr %q, i64 noundef %n) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  %v = load i8, ptr %q
  br label %body

body:
  %i = phi i64 [ 0, %preheader ], [ %i.next, %body ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 %v, ptr %at
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  ret void
}
