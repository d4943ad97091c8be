; The call may change the global that the loop's body reads again; the pointer argument of a
; nocapture-free call escapes too.

@g = global i32 0

declare void @touch(ptr)

define i32 @f(i32 %n) {
entry:
  %x = alloca i32, align 4
  store i32 0, ptr %x
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call void @touch(ptr %x)
  %a = load i32, ptr %x
  %b = load i32, ptr @g
  %i.next = add i32 %i, 1
  %sum = add i32 %a, %b
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %sum
}
