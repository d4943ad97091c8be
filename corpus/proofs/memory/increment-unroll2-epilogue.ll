; The elements of an array are incremented, two in each iteration, and the odd one behind the loop.

define void @src(ptr %p, i64 noundef %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load i8, ptr %at
  %v.next = add i8 %v, 1
  store i8 %v.next, ptr %at
  %i.next = add nuw i64 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(ptr %p, i64 noundef %n) {
entry:
  %pairs = and i64 %n, -2
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next.1, %body ]
  %more = icmp ne i64 %i, %pairs
  br i1 %more, label %body, label %rest

body:
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load i8, ptr %at
  %v.next = add i8 %v, 1
  store i8 %v.next, ptr %at
  %i.next = or disjoint i64 %i, 1
  %at.1 = getelementptr inbounds i8, ptr %p, i64 %i.next
  %v.1 = load i8, ptr %at.1
  %v.next.1 = add i8 %v.1, 1
  store i8 %v.next.1, ptr %at.1
  %i.next.1 = add nuw i64 %i, 2
  br label %header

rest:
  %odd = icmp ne i64 %pairs, %n
  br i1 %odd, label %last, label %exit

last:
  %at.last = getelementptr inbounds i8, ptr %p, i64 %pairs
  %v.last = load i8, ptr %at.last
  %v.next.last = add i8 %v.last, 1
  store i8 %v.next.last, ptr %at.last
  br label %exit

exit:
  ret void
}
