; indvars
; %j is used only by the test, which can use %i. %n may be undef, with a different value at each use, so it is frozen.
define void @f(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i32 [ %n, %entry ], [ %j.next, %loop ]
  %a = getelementptr i8, ptr %p, i64 %i
  store volatile i8 1, ptr %a
  %i.next = add i64 %i, 1
  %j.next = add i32 %j, -1
  %c = icmp eq i32 %j.next, 0
  br i1 %c, label %out, label %loop
out:
  ret void
}
