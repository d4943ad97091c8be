; A cycle that cannot be reached from the entry: dominance, and with it the idea of a loop, is
; undefined there.
; From loop-terminology.rst: Important Notes.

define i32 @f(i32 %n) {
entry:
  br label %exit

dead:
  %i = phi i32 [ 0, %dead.pred ], [ %i.next, %dead ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %dead, label %exit

dead.pred:
  br label %dead

exit:
  %r = phi i32 [ %n, %entry ], [ %i.next, %dead ]
  ret i32 %r
}
