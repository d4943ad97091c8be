; Volatile stores are observable one by one, whatever their values.

@port = global i8 0

define i32 @f(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i8 1, ptr @port
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %v = load volatile i8, ptr @port
  %r = zext i8 %v to i32
  ret i32 %r
}
