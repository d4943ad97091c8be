; loop-rotate
; Functions that ask for it are left alone.
define void @f(i1 %c) noinline optnone {
entry:
  br label %header
header:
  br i1 %c, label %body, label %exit
body:
  br label %header
exit:
  ret void
}
