; loop-unroll<count=3;runtime>
; One exit: the epilogue is entered only if iterations remain.
define void @f(ptr %p, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %q = getelementptr i8, ptr %p, i8 %i
  store i8 %i, ptr %q
  %i.next = add i8 %i, 1
  %e = icmp eq i8 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
