; loop-unroll<count=2;partial>
declare void @barrier() convergent
define void @f() {
entry:
  br label %loop
loop:
  call void @barrier()
  br label %loop
}
