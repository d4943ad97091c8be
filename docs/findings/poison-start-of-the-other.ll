; indvars takes %i for %j, which starts with the same number, or with poison where `add nsw` wraps.
declare void @g(i32)
define void @f(i32 %n, i32 %x) {
entry:
  %s = add nsw i32 %x, 1
  %t = add i32 %x, 1
  br label %loop
loop:
  %j = phi i32 [ %s, %entry ], [ %j.next, %loop ]
  %i = phi i32 [ %t, %entry ], [ %i.next, %loop ]
  call void @g(i32 0)
  %j.next = add i32 %j, 1
  %i.next = add i32 %i, 1
  %more = icmp ne i32 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
