; What is `speculatable` may be called wherever its result is of use, and the call of a function that is not may be done
; earlier where it is made in any case.

declare i32 @f(i32) memory(none) nounwind willreturn speculatable
declare i32 @g(i32) memory(none) nounwind willreturn

define i32 @src(i32 %n, i1 %c) {
entry:
  br i1 %c, label %call, label %exit

call:
  %v = call i32 @f(i32 %n)
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %v, %call ]
  ret i32 %r
}

define i32 @tgt(i32 %n, i1 %c) {
  %v = call i32 @f(i32 %n)
  %r = select i1 %c, i32 %v, i32 0
  ret i32 %r
}

define i32 @src_loop(i32 %n, i1 %c) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %call, label %latch

call:
  %v = call i32 @f(i32 %n)
  br label %latch

latch:
  %q = phi i32 [ 0, %loop ], [ %v, %call ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}

define i32 @tgt_loop(i32 %n, i1 %c) {
entry:
  %v = call i32 @f(i32 %n)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %call, label %latch

call:
  br label %latch

latch:
  %q = phi i32 [ 0, %loop ], [ %v, %call ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}

define i32 @src_made(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %v = call i32 @g(i32 %n)
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

define i32 @tgt_made(i32 %n) {
entry:
  %v = call i32 @g(i32 %n)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
