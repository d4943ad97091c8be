; The trip count backedges + 1 wraps to 0 for the largest bound, and the guard on it skips the whole
; loop.

define i8 @src(ptr %p, i8 noundef %last) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i8 %i
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 1
  br i1 %hit, label %found, label %latch

latch:
  %i.next = add i8 %i, 1
  %done = icmp eq i8 %i, %last
  br i1 %done, label %absent, label %loop

found:
  ret i8 1

absent:
  ret i8 0
}

define i8 @tgt(ptr %p, i8 noundef %last) {
entry:
  %trips = add i8 %last, 1
  %some = icmp ne i8 %trips, 0
  br i1 %some, label %loop, label %absent

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i8 %i
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 1
  br i1 %hit, label %found, label %latch

latch:
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, %trips
  br i1 %more, label %loop, label %absent

found:
  ret i8 1

absent:
  ret i8 0
}
