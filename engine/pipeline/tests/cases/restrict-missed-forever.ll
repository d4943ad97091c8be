; early-exit-inversion
; Nothing guarantees that the loop ends: its exit is not countable, and it may run forever without undefined behavior.
define void @f(ptr %p, i32 %a, i1 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %a
  br i1 %c, label %then, label %latch
then:
  store i32 %i, ptr %p
  br label %latch
latch:
  %i.next = add nuw i32 %i, 1
  %l = load i1, ptr %p
  br i1 %l, label %out, label %loop
out:
  ret void
}
