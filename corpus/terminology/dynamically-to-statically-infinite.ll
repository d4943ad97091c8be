; The exiting condition is always false, so the conditional branch may become unconditional:
; dynamically infinite to statically infinite.
; From loop-terminology.rst: Important Notes.

@tick = global i8 0

define void @src() {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i8 %i, ptr @tick
  %i.next = add i8 %i, 1
  %never = icmp ugt i8 %i, -1
  br i1 %never, label %exit, label %loop

exit:
  ret void
}

define void @tgt() {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i8 %i, ptr @tick
  %i.next = add i8 %i, 1
  br label %loop
}
