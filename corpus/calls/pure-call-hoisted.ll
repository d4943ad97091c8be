; A call without memory effects that returns for sure, with invariant arguments, is made once before
; the loop: same arguments, same result.
;
; Not an event: the function neither writes nor may fail to return.

declare i32 @pure(i32) memory(none) willreturn nounwind speculatable

define i32 @src(i32 %n, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %v = call i32 @pure(i32 %x)
  %s.next = add i32 %s, %v
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

define i32 @tgt(i32 %n, i32 %x) {
entry:
  %v = call i32 @pure(i32 %x)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %s.next = add i32 %s, %v
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
