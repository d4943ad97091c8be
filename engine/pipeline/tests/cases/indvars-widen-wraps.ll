; indvars
; %i may wrap, so its extension is not a recurrence.
define void @f(ptr %p, i8 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 5, %entry ], [ %i.next, %loop ]
  %w = zext i8 %i to i64
  %a = getelementptr i8, ptr %p, i64 %w
  store volatile i8 1, ptr %a
  %i.next = add i8 %i, 1
  %c = icmp ne i8 %i.next, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}
