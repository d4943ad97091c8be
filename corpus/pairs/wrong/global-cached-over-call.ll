; A global is loaded once before the loop although the call in the loop may change it.

@g = global i32 0

declare void @writes() willreturn nounwind

define i32 @src(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @writes()
  %v = load i32, ptr @g
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %v
}

define i32 @tgt(i32 %n) {
entry:
  %v = load i32, ptr @g
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @writes()
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %v
}
