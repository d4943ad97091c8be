; loop-unroll<machine=in-order>
; At most four iterations by the first exit; the second one is still tested.
declare i1 @stop(i32)
define i32 @f() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = call i1 @stop(i32 %i)
  br i1 %s, label %out, label %latch
latch:
  %i.next = add i32 %i, 1
  %e2 = icmp ugt i32 %i, 2
  br i1 %e2, label %out, label %loop
out:
  %r = phi i32 [ %i, %loop ], [ 7, %latch ]
  ret i32 %r
}
