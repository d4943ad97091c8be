; Both exiting edges lead to one block without phis; the effect is in memory only.

define void @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  store i8 0, ptr %at
  %i.next = add nuw i32 %i, 1
  %last = icmp eq i8 %v, 0
  br i1 %last, label %exit, label %header

exit:
  ret void
}

define i32 @run(ptr %p, i32 %n) {
  call void @f(ptr %p, i32 %n)
  %r = load i32, ptr %p
  ret i32 %r
}
