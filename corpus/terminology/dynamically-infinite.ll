; The loop has an exiting edge that is never taken when n is UINT_MAX: dynamically infinite under some
; circumstances only.
; From loop-terminology.rst: Important Notes.
;
; At i8 the wrap is after 256 iterations; n = 255 never leaves the loop.

define i8 @f(i8 %n) {
entry:
  br label %for.cond

for.cond:
  %i = phi i8 [ 0, %entry ], [ %i.next, %for.body ]
  %more = icmp ule i8 %i, %n
  br i1 %more, label %for.body, label %exit

for.body:
  %i.next = add i8 %i, 1
  br label %for.cond

exit:
  ret i8 %i
}
