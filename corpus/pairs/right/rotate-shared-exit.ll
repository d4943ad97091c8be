; Rotation of a search loop with a shared exit: the guard adds a third edge to the exit's phi.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 5
  br i1 %hit, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  %r = phi i32 [ -1, %header ], [ %i, %body ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  %more.0 = icmp ult i32 0, %n
  br i1 %more.0, label %preheader, label %exit

preheader:
  br label %body

body:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 5
  br i1 %hit, label %loop.exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %loop.exit

loop.exit:
  %r.ph = phi i32 [ %i, %body ], [ -1, %latch ]
  br label %exit

exit:
  %r = phi i32 [ -1, %entry ], [ %r.ph, %loop.exit ]
  ret i32 %r
}
