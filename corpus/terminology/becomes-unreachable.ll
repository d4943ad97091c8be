; A loop that a constant branch makes statically unreachable in the target; passes must drop it from
; the loop tree.
; From loop-terminology.rst: LoopInfo.

define i32 @src(i32 %n) {
entry:
  %never = icmp ult i32 %n, 0
  br i1 %never, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  ret i32 %r
}

define i32 @tgt(i32 %n) {
entry:
  br label %exit

loop:
  %i = phi i32 [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  ret i32 %r
}
