; An invariant division hoisted to the preheader of a rotated loop in which it is executed on every
; iteration.

define i32 @src(i32 %n, i32 %d) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %preheader ], [ %s.next, %loop ]
  %q = udiv i32 64, %d
  %s.next = add i32 %s, %q
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  ret i32 %r
}

define i32 @tgt(i32 %n, i32 %d) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  %q = udiv i32 64, %d
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %preheader ], [ %s.next, %loop ]
  %s.next = add i32 %s, %q
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  ret i32 %r
}
