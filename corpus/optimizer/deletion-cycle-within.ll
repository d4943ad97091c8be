; The loop is counted and has no effect, but the cycle in its body, which is no loop because it has two entries, runs
; forever if %more is true. That can be seen, so the loop stays, unless the function must make progress.
; From loop-terminology.rst: Important Notes.

define i32 @f(i32 %n, i1 %right, i1 %more) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %right, label %a, label %b

a:
  br i1 %more, label %b, label %latch

b:
  br i1 %more, label %a, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret i32 7
}

define i32 @progress(i32 %n, i1 %right, i1 %more) mustprogress {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %right, label %a, label %b

a:
  br i1 %more, label %b, label %latch

b:
  br i1 %more, label %a, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret i32 7
}
