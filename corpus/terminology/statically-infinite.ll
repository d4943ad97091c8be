; A loop without exiting edges is statically infinite; it has no exit blocks.
; From loop-terminology.rst: Important Notes.

@tick = global i32 0

define void @f() {
entry:
  br label %forever

forever:
  %i = phi i32 [ 0, %entry ], [ %i.next, %forever ]
  store volatile i32 %i, ptr @tick
  %i.next = add i32 %i, 1
  br label %forever
}
