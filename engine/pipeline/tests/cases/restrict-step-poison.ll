; loop-simplify,lcssa,loop(bound-restriction)
; The exit value is not computed before the loop: if the loop runs once, its result does not depend on a poison step.
define i32 @f(ptr %p, i32 %n, i32 %a, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %inc ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %inc ]
  %c = icmp ult i32 %i, %a
  br i1 %c, label %then, label %inc
then:
  store i32 %i, ptr %p
  br label %inc
inc:
  %s.next = add i32 %s, %x
  %i.next = add nuw nsw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %exit, label %loop
exit:
  ret i32 %s
}
; With a step that is not poison, the exit value is computed.
define i32 @g(ptr %p, i32 %n, i32 %a, i32 noundef %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %inc ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %inc ]
  %c = icmp ult i32 %i, %a
  br i1 %c, label %then, label %inc
then:
  store i32 %i, ptr %p
  br label %inc
inc:
  %s.next = add i32 %s, %x
  %i.next = add nuw nsw i32 %i, 1
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %exit, label %loop
exit:
  ret i32 %s
}
