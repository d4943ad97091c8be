; loop-unroll<count=2;runtime>
declare i1 @stop()
define void @f() {
entry:
  br label %loop
loop:
  %s = call i1 @stop()
  br i1 %s, label %out, label %loop
out:
  ret void
}
