; loop-unroll<runtime;machine=ooo>
; a[i] = i, with one exit and with two.
define void @one(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %q = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %q
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
define void @two(ptr %a, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %x = icmp eq i64 %i, %m
  br i1 %x, label %out, label %latch
latch:
  %q = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %q
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
