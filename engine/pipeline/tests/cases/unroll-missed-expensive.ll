; loop-unroll<count=2;runtime>
; The trip count is the smaller of two quotients.
define void @f(i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %j = phi i32 [ 0, %entry ], [ %j.next, %latch ]
  %j.next = add nuw i32 %j, 5
  %e1 = icmp ult i32 %j.next, %m
  br i1 %e1, label %latch, label %out
latch:
  %i.next = add nuw i32 %i, 3
  %e2 = icmp ult i32 %i.next, %n
  br i1 %e2, label %loop, label %out
out:
  ret void
}
