; loop-rotate
define void @f(i1 %c) {
entry:
  br label %header
header:
  br label %body
body:
  br i1 %c, label %latch, label %exit
latch:
  br label %header
exit:
  ret void
}
