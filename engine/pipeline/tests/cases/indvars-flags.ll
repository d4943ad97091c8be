; indvars
; Flags that hold whenever control reaches the instruction. %late is undefined behavior only after a call that may not
; return, so it implies nothing about %early.
define void @f(ptr %p, i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i32 [ %n, %entry ], [ %j.next, %loop ]
  %double = mul i32 %i, 3
  %shifted = shl i32 %i, 2
  %down = sub i32 100, %i
  %early = add i32 %j, 5
  store volatile i32 %double, ptr %p
  store volatile i32 %shifted, ptr %p
  store volatile i32 %down, ptr %p
  store volatile i32 %early, ptr %p
  call void @may_not_return()
  %late = add nsw i32 %j, 5
  %d = sdiv i32 1, %late
  store volatile i32 %d, ptr %p
  %i.next = add i32 %i, 1
  %j.next = add i32 %j, 1
  %c = icmp ne i32 %i.next, 100
  br i1 %c, label %loop, label %out
out:
  ret void
}
declare void @may_not_return()
