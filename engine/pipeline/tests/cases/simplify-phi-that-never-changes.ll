; loop-simplify
; %x is always %a. %u is a single choice of undef for all its uses, so it stays.
define i32 @f(i32 %a, i1 %c) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %a, %entry ], [ %x, %loop ]
  %u = phi i32 [ undef, %entry ], [ %u, %loop ]
  br i1 %c, label %loop, label %exit
exit:
  %r = add i32 %x, %u
  %s = sub i32 %r, %u
  ret i32 %s
}
