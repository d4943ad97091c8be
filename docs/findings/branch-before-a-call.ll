declare void @may_not_return()

define void @f(i1 %a) {
entry:
  br label %loop

loop:
  call void @may_not_return()
  br i1 %a, label %latch, label %latch

latch:
  %b = and i1 %a, false
  br i1 %b, label %out, label %loop

out:
  ret void
}
