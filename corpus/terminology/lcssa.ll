; X3 is defined in the loop and used outside of it: not in LCSSA form in the source, closed by the phi
; X4 in the target.
; From loop-terminology.rst: Loop Closed SSA (LCSSA).

define i32 @src(i1 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  br i1 %c, label %then, label %else

then:
  %x1 = mul i32 %i, 3
  br label %join

else:
  %x2 = sub i32 100, %i
  br label %join

join:
  %x3 = phi i32 [ %x1, %then ], [ %x2, %else ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %use = add i32 %x3, 4
  ret i32 %use
}

define i32 @tgt(i1 %c, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  br i1 %c, label %then, label %else

then:
  %x1 = mul i32 %i, 3
  br label %join

else:
  %x2 = sub i32 100, %i
  br label %join

join:
  %x3 = phi i32 [ %x1, %then ], [ %x2, %else ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %x4 = phi i32 [ %x3, %join ]
  %use = add i32 %x4, 4
  ret i32 %use
}
