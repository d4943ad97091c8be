; loop(loop-unroll-full<no-upperbound>)
; As a loop pass, as LLVM has it: the inner loop goes, and the outer one is looked at behind it.
define i32 @f(ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store volatile i32 %j, ptr %p
  %j.next = add i32 %j, 1
  %c = icmp eq i32 %j.next, 3
  br i1 %c, label %latch, label %inner
latch:
  %i.next = add i32 %i, 1
  %d = icmp eq i32 %i.next, 2
  br i1 %d, label %out, label %outer
out:
  ret i32 %i
}
; Five iterations at most, which is not asked for.
define void @g(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = load volatile i1, ptr %p
  br i1 %v, label %out, label %latch
latch:
  %i.next = add i32 %i, 1
  %d = icmp eq i32 %i.next, 5
  br i1 %d, label %out, label %loop
out:
  ret void
}
