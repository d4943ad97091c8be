; loop-unroll<count=2;runtime;rest=prologue>
; The remainder is executed first; the other exit, which is not countable, is tested in every copy.
declare i1 @stop()
define i32 @f(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %s = call i1 @stop()
  br i1 %s, label %early, label %latch
latch:
  %i.next = add i8 %i, 1
  %e = icmp eq i8 %i.next, %n
  br i1 %e, label %out, label %loop
early:
  ret i32 1
out:
  ret i32 0
}
