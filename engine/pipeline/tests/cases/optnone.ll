; loop-rotate
; Functions with optnone are not transformed.
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
