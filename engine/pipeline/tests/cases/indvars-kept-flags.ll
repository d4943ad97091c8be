; function(loop-simplify,lcssa),loop-mssa(licm),loop(indvars)
; The inner loop queries the outer counter before the trip count of the outer loop is known. The counter is known not to
; wrap nevertheless, and the truncation becomes the narrow counter.
define void @narrow_counter(ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 1, %entry ], [ %i.next, %latch ]
  %n = phi i32 [ 1, %entry ], [ %n.next, %latch ]
  %more = icmp ne i64 %i, 100
  br i1 %more, label %ahead, label %out
ahead:
  br label %inner
inner:
  %j = phi i64 [ %j.next, %body ], [ 0, %ahead ]
  %go = icmp ne i64 %j, 100
  br i1 %go, label %body, label %latch
body:
  %a = add nsw i32 %n, -3
  %t = trunc i64 %i to i32
  %r = srem i32 %a, %t
  %q = getelementptr inbounds [100 x i32], ptr %p, i64 %i, i64 %j
  store i32 %r, ptr %q
  %j.next = add nuw nsw i64 %j, 1
  br label %inner
latch:
  %i.next = add nuw nsw i64 %i, 1
  %n.next = add nuw nsw i32 %n, 1
  br label %outer
out:
  ret void
}
