; An invariant division hoisted over a call that may not return: with d = 0 the source may stop in the
; call, the target divides by zero before it.

declare void @unknown(i32)

define i32 @src(i32 %n, i32 %d) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  call void @unknown(i32 %i)
  %q = udiv i32 100, %d
  %s.next = add i32 %s, %q
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

define i32 @tgt(i32 %n, i32 %d) {
entry:
  %q = udiv i32 100, %d
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  call void @unknown(i32 %i)
  %s.next = add i32 %s, %q
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
