; An invariant address does not make an invariant load: the loop's store may write there.

define i32 @src(ptr %bound, ptr %out) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store i32 2, ptr %out
  %i.next = add nuw i32 %i, 1
  %n = load i32, ptr %bound
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}

define i32 @tgt(ptr %bound, ptr %out) {
entry:
  %n = load i32, ptr %bound
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store i32 2, ptr %out
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}

define i32 @same.src(ptr %p) {
  %r = call i32 @src(ptr %p, ptr %p)
  ret i32 %r
}

define i32 @same.tgt(ptr %p) {
  %r = call i32 @tgt(ptr %p, ptr %p)
  ret i32 %r
}
