; loop-unroll<count=2;partial>
; No exit is countable: every test stays in every copy.
declare i1 @stop()
define i32 @f() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = call i1 @stop()
  br i1 %s, label %out, label %latch
latch:
  %i.next = add i32 %i, 1
  %t = call i1 @stop()
  br i1 %t, label %out, label %loop
out:
  %r = phi i32 [ %i, %loop ], [ 7, %latch ]
  ret i32 %r
}
