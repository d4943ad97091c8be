; function(loop-simplify,lcssa),indvars,loop-mssa(licm)
; b[k * n + j] advances in steps of n: a product with the wide counter.
define i32 @column(ptr %b, i32 noundef %n, i32 noundef %j) {
entry:
  %e = icmp sgt i32 %n, 0
  br i1 %e, label %loop, label %none
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %m = mul nsw i32 %k, %n
  %i = add nsw i32 %m, %j
  %i.w = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %b, i64 %i.w
  %x = load i32, ptr %p
  %k.w = sext i32 %k to i64
  %q = getelementptr inbounds i32, ptr %b, i64 %k.w
  %y = load i32, ptr %q
  %z = mul i32 %x, %y
  %s.next = add i32 %s, %z
  %k.next = add nsw i32 %k, 1
  %c = icmp slt i32 %k.next, %n
  br i1 %c, label %loop, label %out
out:
  ret i32 %s.next
none:
  ret i32 0
}
; The product may wrap in the narrow type, so it keeps its extension.
define void @wraps(ptr %b, i32 noundef %n, i32 noundef %j) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %m = mul i32 %k, %j
  %i.w = sext i32 %m to i64
  %p = getelementptr inbounds i32, ptr %b, i64 %i.w
  store i32 0, ptr %p
  %k.w = sext i32 %k to i64
  %q = getelementptr inbounds i32, ptr %b, i64 %k.w
  store i32 0, ptr %q
  %k.next = add nsw i32 %k, 1
  %c = icmp slt i32 %k.next, %n
  br i1 %c, label %loop, label %out
out:
  ret void
}
; The counter is needed only after the loop: it is truncated there, and the comparison is wide.
define i32 @found(ptr %a, i32 noundef %n) {
entry:
  %e = icmp sgt i32 %n, 0
  br i1 %e, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %i.w = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %i.w
  %x = load i32, ptr %p
  %stop = icmp slt i32 %x, 0
  br i1 %stop, label %out, label %latch
latch:
  %i.next = add nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out
out:
  %r = phi i32 [ 0, %entry ], [ %i, %loop ], [ %n, %latch ]
  ret i32 %r
}
