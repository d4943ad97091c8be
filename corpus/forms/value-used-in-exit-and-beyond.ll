; One value is used in the exit block, in a block after it and in a later loop: lcssa sends all three
; uses through one phi.

define i32 @f(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 2
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %x = mul i32 %i.next, 10
  br label %after

after:
  %y = add i32 %x, %i.next
  br label %second

second:
  %j = phi i32 [ 0, %after ], [ %j.next, %second ]
  %j.next = add i32 %j, 1
  %second.more = icmp ult i32 %j.next, %i.next
  br i1 %second.more, label %second, label %end

end:
  %r = add i32 %y, %j.next
  ret i32 %r
}
