@limit = external constant i32
@step = weak constant i32 2
define i32 @src(i32 %n) {
entry:
  %most = load i32, ptr @limit
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = load i32, ptr @step
  %i.next = add i32 %i, %s
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %i.next, %most
  ret i32 %r
}
define i32 @tgt(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = load i32, ptr @step
  %i.next = add i32 %i, %s
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %i.next
}
define i32 @step-folded(i32 %n) {
entry:
  %most = load i32, ptr @limit
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 2
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %i.next, %most
  ret i32 %r
}
