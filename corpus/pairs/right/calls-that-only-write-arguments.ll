; A function that writes its argument's memory alone, with what does not depend on memory, may be called once for many
; times. The engines take each call for an event and do not say that this is wrong.

declare void @fill(i32, ptr) memory(argmem: write) nounwind willreturn

define void @src(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @fill(i32 0, ptr %p)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 3
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @tgt(ptr %p) {
entry:
  call void @fill(i32 0, ptr %p)
  ret void
}
