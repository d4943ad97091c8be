; The header's counting store is done in the guard and again at the start of the body: memory counts
; every iteration twice.

define void @src(ptr %count, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = load i32, ptr %count
  %c.next = add i32 %c, 1
  store i32 %c.next, ptr %count
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(ptr %count, i32 %n) {
entry:
  %c.0 = load i32, ptr %count
  %c.0.next = add i32 %c.0, 1
  store i32 %c.0.next, ptr %count
  %more.0 = icmp ult i32 0, %n
  br i1 %more.0, label %preheader, label %exit

preheader:
  br label %body

body:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %c.1 = load i32, ptr %count
  %c.1.next = add i32 %c.1, 1
  store i32 %c.1.next, ptr %count
  %i.next = add nuw i32 %i, 1
  %c.2 = load i32, ptr %count
  %c.2.next = add i32 %c.2, 1
  store i32 %c.2.next, ptr %count
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  ret void
}

define i32 @run.src(ptr %p, i32 %n) {
  call void @src(ptr %p, i32 %n)
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @run.tgt(ptr %p, i32 %n) {
  call void @tgt(ptr %p, i32 %n)
  %r = load i32, ptr %p
  ret i32 %r
}
