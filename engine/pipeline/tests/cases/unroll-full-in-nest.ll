; loop(loop-unroll-full<no-upperbound>)
; As a loop pass, as in LLVM: the inner loop is unrolled first, then the outer one.
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
; An upper bound of five iterations, which `no-upperbound` ignores.
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
