; A group of loads is made where its first member stands, one of stores where its last does: the load of %a that stands last
; would come before the store of 1 there, which comes before it here.
define void @f(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 1, ptr %a
  %b = getelementptr inbounds i8, ptr %a, i64 1
  %y = load i8, ptr %b
  %y.next = add i8 %y, 3
  store i8 %y.next, ptr %b
  %x = load i8, ptr %a
  %x.next = add i8 %x, %y
  store i8 %x.next, ptr %a
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
