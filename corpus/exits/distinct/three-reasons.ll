; Three distinct exit blocks, each with values of its own that are live out of the loop.

define i32 @f(ptr %p, i32 %n, i8 %key) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %is.key = icmp eq i8 %v, %key
  br i1 %is.key, label %found, label %test

test:
  %sum.next = add i32 %sum, %w
  %too.much = icmp ugt i32 %sum.next, 300
  br i1 %too.much, label %overflow, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %end

found:
  %r.found = or i32 %i, 65536
  ret i32 %r.found

overflow:
  %r.overflow = add i32 %sum.next, %i
  ret i32 %r.overflow

end:
  ret i32 %sum.next
}
