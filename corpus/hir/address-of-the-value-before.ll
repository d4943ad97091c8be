; An address made of a variable is used where that has its next value already: it is that of the value before.
define void @mark(ptr %head) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %head, %entry ], [ %next, %loop ]
  %val = getelementptr inbounds i8, ptr %p, i64 8
  %next = load ptr, ptr %p, align 8
  store i64 1, ptr %val, align 8
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define i32 @sum(ptr %head) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %head, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.n, %loop ]
  %val = getelementptr inbounds i8, ptr %p, i64 8
  %next = load ptr, ptr %p, align 8
  %v = load i32, ptr %val, align 8
  %s.n = add i32 %s, %v
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %s.n
}

define void @walk(ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i64 [ 0, %entry ], [ %x.next, %loop ]
  %g = getelementptr inbounds i8, ptr %a, i64 %x
  %at = getelementptr inbounds i8, ptr %b, i64 %i
  %l = load i8, ptr %at
  %lz = zext i8 %l to i64
  %lm = and i64 %lz, 3
  %x.next = xor i64 %x, %lm
  store i8 1, ptr %g
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
