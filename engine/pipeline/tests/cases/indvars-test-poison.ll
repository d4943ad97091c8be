; indvars
; %j wraps at the end of the loop, which poisons %j.next there, so no test can use it. %j is known not to be poison.
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %j = phi i8 [ 0, %entry ], [ %j.next, %loop ]
  %i = phi i32 [ 10, %entry ], [ %i.next, %loop ]
  store volatile i8 %j, ptr %p
  %j.next = add nuw i8 %j, 1
  %i.next = add i32 %i, 3
  %c = icmp ult i32 %i.next, 778
  br i1 %c, label %loop, label %out
out:
  ret void
}
