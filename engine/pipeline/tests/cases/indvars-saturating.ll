; indvars
; A sum that can't saturate becomes a plain addition; the second one may saturate.
declare i32 @llvm.uadd.sat.i32(i32, i32)
define void @f(ptr %p, i32 noundef %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = call i32 @llvm.uadd.sat.i32(i32 %i, i32 1)
  store volatile i32 %s, ptr %p
  %t = call i32 @llvm.uadd.sat.i32(i32 %i, i32 %k)
  store volatile i32 %t, ptr %p
  %i.next = add i32 %i, 1
  %c = icmp ne i32 %i.next, 100
  br i1 %c, label %loop, label %out
out:
  ret void
}
