; loop-rotate
declare i1 @g() noduplicate
define void @f() {
entry:
  br label %header
header:
  %c = call i1 @g()
  br i1 %c, label %body, label %exit
body:
  br label %header
exit:
  ret void
}
