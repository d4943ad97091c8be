; bound-restriction
; The latch exits through a switch: there is no condition to replace.
define void @f(ptr %a, i4 %b) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i4 [ %next, %latch ], [ 0, %entry ]
  %c = icmp slt i4 %i, %b
  br i1 %c, label %then, label %latch
then:
  %to = getelementptr i8, ptr %a, i4 %i
  store i4 0, ptr %to
  br label %latch
latch:
  %next = add i4 %i, 1
  switch i4 %next, label %loop [
    i4 5, label %out
  ]
out:
  ret void
}
