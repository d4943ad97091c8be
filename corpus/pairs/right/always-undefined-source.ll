; The source divides by zero on every path: any target refines it, but nothing was learned, so the
; verdict is vacuous.

define i32 @src(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = udiv i32 %n, 0
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}

define i32 @tgt(i32 %n) {
entry:
  ret i32 12345
}
