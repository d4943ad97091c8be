; function(loop-simplify,lcssa),indvars,loop-mssa(licm)
; Differences with a counter: a[i - 1] and a[i - k] become sums with the wide counter.
define i32 @f(ptr %a, i32 noundef %n, i32 noundef %k) {
entry:
  %e = icmp sgt i32 %n, 5
  br i1 %e, label %loop, label %none
loop:
  %i = phi i32 [ 5, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %before = sub nsw i32 %i, 1
  %before.w = sext i32 %before to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %before.w
  %x = load i32, ptr %p
  %far = sub nsw i32 %i, %k
  %far.w = sext i32 %far to i64
  %q = getelementptr inbounds i32, ptr %a, i64 %far.w
  %y = load i32, ptr %q
  %i.w = sext i32 %i to i64
  %r = getelementptr inbounds i32, ptr %a, i64 %i.w
  %z = load i32, ptr %r
  %t = add i32 %x, %y
  %u = add i32 %t, %z
  %s.next = add i32 %s, %u
  %i.next = add nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out
out:
  ret i32 %s.next
none:
  ret i32 0
}

; A difference that may wrap keeps its extension.
define void @wraps(ptr %a, i32 noundef %n, i32 noundef %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %far = sub i32 %i, %k
  %far.w = sext i32 %far to i64
  %q = getelementptr inbounds i32, ptr %a, i64 %far.w
  store i32 0, ptr %q
  %i.w = sext i32 %i to i64
  %r = getelementptr inbounds i32, ptr %a, i64 %i.w
  store i32 1, ptr %r
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}

; The counter is the subtrahend: the extended value decreases, is not a sum with the counter, and stays narrow.
define void @down(ptr %a, i32 noundef %n) {
entry:
  %e = icmp sgt i32 %n, 0
  br i1 %e, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %rest = sub nsw i32 %n, %i
  %rest.w = sext i32 %rest to i64
  %q = getelementptr inbounds i32, ptr %a, i64 %rest.w
  store i32 0, ptr %q
  %i.next = add nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}
