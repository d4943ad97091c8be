; memory may lie in the half of the address space that is negative as signed
target datalayout = "e-p:32:32"
@g = global i32 0
define i64 @walk(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %q = phi ptr [ %p, %entry ], [ %q.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store i8 0, ptr %q
  %q.next = getelementptr inbounds i8, ptr %q, i32 1
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %a = ptrtoint ptr %q to i32
  %r = zext i32 %a to i64
  ret i64 %r
}
define i64 @walk.signed(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %q = phi ptr [ %p, %entry ], [ %q.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store i8 0, ptr %q
  %q.next = getelementptr inbounds i8, ptr %q, i32 1
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %a = ptrtoint ptr %q to i32
  %r = sext i32 %a to i64
  ret i64 %r
}
define i32 @behind(ptr %p) {
  %v = load i8, ptr %p
  %a = ptrtoint ptr %p to i32
  %b = add i32 %a, 1
  ret i32 %b
}
define i32 @behind.nsw(ptr %p) {
  %v = load i8, ptr %p
  %a = ptrtoint ptr %p to i32
  %b = add nsw i32 %a, 1
  ret i32 %b
}
define i1 @within() {
  %c = icmp slt ptr @g, getelementptr (i8, ptr @g, i32 4)
  ret i1 %c
}
define i1 @always() {
  ret i1 true
}
