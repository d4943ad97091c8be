; A device as in hand-written copy loops: a switch jumps into the middle of the loop body, so that no
; block dominates the cycle.

define i32 @f(i32 %n) {
entry:
  %r = urem i32 %n, 3
  switch i32 %r, label %exit [
    i32 0, label %three
    i32 1, label %one
    i32 2, label %two
  ]

three:
  %s3 = phi i32 [ 0, %entry ], [ %s1.next, %one ]
  %left3 = phi i32 [ %n, %entry ], [ %left1.next, %one ]
  %s3.next = add i32 %s3, 1
  br label %two

two:
  %s2 = phi i32 [ 0, %entry ], [ %s3.next, %three ]
  %left2 = phi i32 [ %n, %entry ], [ %left3, %three ]
  %s2.next = add i32 %s2, 1
  br label %one

one:
  %s1 = phi i32 [ 0, %entry ], [ %s2.next, %two ]
  %left1 = phi i32 [ %n, %entry ], [ %left2, %two ]
  %s1.next = add i32 %s1, 1
  %left1.next = call i32 @llvm.usub.sat.i32(i32 %left1, i32 3)
  %more = icmp ne i32 %left1.next, 0
  br i1 %more, label %three, label %exit

exit:
  %res = phi i32 [ 0, %entry ], [ %s1.next, %one ]
  ret i32 %res
}

declare i32 @llvm.usub.sat.i32(i32, i32)
