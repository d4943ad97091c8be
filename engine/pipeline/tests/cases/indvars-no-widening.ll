; loop(indvars<no-widening>)
; The same loop without widening.
define void @f(ptr %p, i32 noundef %n, i32 noundef %d) {
entry:
  %g = icmp sgt i32 %n, 0
  br i1 %g, label %ph, label %out
ph:
  br label %loop
loop:
  %i = phi i32 [ 0, %ph ], [ %i.next, %loop ]
  %w = sext i32 %i to i64
  %a = getelementptr i8, ptr %p, i64 %w
  store volatile i8 1, ptr %a
  %ahead = add nuw nsw i32 %i, 3
  %w3 = zext i32 %ahead to i64
  %a3 = getelementptr i8, ptr %p, i64 %w3
  store volatile i8 1, ptr %a3
  %moved = add nsw i32 %i, %d
  %wd = sext i32 %moved to i64
  %ad = getelementptr i8, ptr %p, i64 %wd
  store volatile i8 1, ptr %ad
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}
