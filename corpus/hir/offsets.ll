; What an index is moved by is no dimension of its own, though it is more than the index ever comes to, nor is a number
; that is the same all the time.

define void @moved(ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = add nuw nsw i64 %i, 5
  %five = getelementptr inbounds i32, ptr %b, i64 %a
  %v = load i32, ptr %five
  %c = add nuw nsw i64 %i, 6
  %six = getelementptr inbounds i32, ptr %b, i64 %c
  store i32 %v, ptr %six
  %here = getelementptr inbounds i32, ptr %b, i64 %i
  store i32 %v, ptr %here
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @by.number(ptr noalias %b, i64 %k) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = add nsw i64 %i, %k
  %there = getelementptr inbounds i32, ptr %b, i64 %a
  %v = load i32, ptr %there
  %here = getelementptr inbounds i32, ptr %b, i64 %i
  store i32 %v, ptr %here
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %k
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
