; loop-peel
; After two iterations both phis are invariant.
declare void @g(i32, i32)
define i32 @f(i32 %x, i32 %y, i32 %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %a = phi i32 [ %x, %entry ], [ %b, %latch ]
  %b = phi i32 [ %y, %entry ], [ %z, %latch ]
  call void @g(i32 %a, i32 %b)
  %e1 = icmp eq i32 %i, %n
  br i1 %e1, label %out, label %latch
latch:
  %i.next = add i32 %i, 1
  %e2 = icmp eq i32 %i.next, %x
  br i1 %e2, label %out, label %loop
out:
  %r = phi i32 [ %a, %loop ], [ %b, %latch ]
  ret i32 %r
}
