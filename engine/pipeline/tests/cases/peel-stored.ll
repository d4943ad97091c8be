; loop-peel
; if (cant_analyze()) break; g = 5: after the first iteration g is 5, because the call writes nothing.
@g = global i32 0
declare i1 @cant_analyze() memory(read) nounwind
define void @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %stop = call i1 @cant_analyze()
  br i1 %stop, label %out, label %latch
latch:
  store i32 5, ptr @g
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
; Here the call may write to memory.
declare i1 @writes() nounwind
define void @h(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %stop = call i1 @writes()
  br i1 %stop, label %out, label %latch
latch:
  store i32 5, ptr @g
  %i.next = add nuw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
