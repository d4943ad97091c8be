; An external call's result is the exit test: any sequence of results is possible.

declare i1 @again()

define i32 @f(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = call i1 @again()
  br i1 %more, label %loop, label %exit

exit:
  %r = mul i32 %i.next, %n
  ret i32 %r
}
