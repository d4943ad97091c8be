declare ptr @keeps(ptr returned, i8)
define i8 @src(ptr %p, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %q = call ptr @keeps(ptr %p, i8 %i)
  store i8 %i, ptr %q
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = load i8, ptr %q
  ret i8 %r
}
define i8 @tgt(ptr %p, i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %q = call ptr @keeps(ptr %p, i8 %i)
  store i8 %i, ptr %p
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = load i8, ptr %p
  ret i8 %r
}
define i8 @own(i8 returned %x, i8 %y) {
  ret i8 %x
}
define i8 @own-any(i8 returned %x, i8 %y) {
  ret i8 poison
}
define i8 @other(i8 returned %x, i8 %y) {
  ret i8 %y
}
define i8 @same(i8 returned %x, i8 %y) {
  %even = icmp eq i8 %x, %y
  %r = select i1 %even, i8 %x, i8 %y
  ret i8 %r
}
