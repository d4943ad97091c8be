; loop-rotate
define void @f(i32 %n) {
entry:
  br label %header
header:
  switch i32 %n, label %body [ i32 1, label %exit ]
body:
  br label %header
exit:
  ret void
}
