; function(loop-simplify,lcssa),indvars
; The first counter becomes a truncation of the second, which therefore is not widened.
define void @f(ptr %a, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i16 [ 0, %entry ], [ %j.next, %loop ]
  %i.w = zext i8 %i to i16
  %j.w = zext i16 %j to i64
  %p = getelementptr inbounds i16, ptr %a, i64 %j.w
  store i16 %i.w, ptr %p
  %i.next = add nuw i8 %i, 1
  %j.next = add nuw i16 %j, 1
  %c = icmp eq i8 %i.next, %n
  br i1 %c, label %out, label %loop
out:
  ret void
}

; The difference of the counters depends on the value of the undef, so neither becomes a widened sum with the other.
define void @undefined(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i1 [ undef, %entry ], [ %next, %loop ]
  %next = add i1 %i, true
  %w = zext i1 %next to i4
  store i4 %w, ptr %p
  br i1 false, label %loop, label %out
out:
  ret void
}

define i7 @counted() {
entry:
  br label %loop
loop:
  %i = phi i1 [ false, %entry ], [ %i.next, %loop ]
  %j = phi i1 [ undef, %entry ], [ %j.next, %loop ]
  %dead = mul i1 %j, false
  %i.next = add i1 %i, true
  %j.next = add i1 %j, true
  %w = sext i1 %i.next to i2
  %all = sext i1 true to i2
  %more = icmp ne i2 %w, %all
  br i1 %more, label %loop, label %out
out:
  ret i7 0
}
