; loop-simplify
; A nest with a shared header, but with a convergent call in it.
declare void @barrier() convergent
define void @f(i1 %c, i1 %d) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i, %inner ], [ %i.next, %outer ]
  call void @barrier()
  br i1 %c, label %inner, label %outer
inner:
  br label %header
outer:
  %i.next = add i32 %i, 1
  br i1 %d, label %header, label %exit
exit:
  ret void
}
