; The store of the loop body is moved before a load that may read the same place.

define i32 @src(ptr %a, ptr %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %v = load i32, ptr %a
  store i32 %i, ptr %b
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

define i32 @tgt(ptr %a, ptr %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  store i32 %i, ptr %b
  %v = load i32, ptr %a
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

define i32 @same.src(ptr %p) {
  %r = call i32 @src(ptr %p, ptr %p, i32 1)
  ret i32 %r
}

define i32 @same.tgt(ptr %p) {
  %r = call i32 @tgt(ptr %p, ptr %p, i32 1)
  ret i32 %r
}
