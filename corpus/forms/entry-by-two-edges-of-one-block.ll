; Both edges of the entering block's branch lead to the header: one entering block, two edges, no
; preheader.

define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %loop, label %loop

loop:
  %i = phi i32 [ 5, %entry ], [ 5, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i.next, %loop ]
  ret i32 %r
}
