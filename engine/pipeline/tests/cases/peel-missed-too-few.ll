; loop-peel<count=5>
define void @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 7, ptr %p
  %i.next = add nuw i32 %i, 1
  %e = icmp ult i32 %i, 3
  br i1 %e, label %loop, label %out
out:
  ret void
}
