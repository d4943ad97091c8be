; Three latches on one header, one of them conditional: one loop until it is given a single backedge.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %x = phi i32 [ %n, %entry ], [ %half, %even ], [ %minus, %odd ], [ %less, %again ]
  %steps = phi i32 [ 0, %entry ], [ %steps.1, %even ], [ %steps.1, %odd ], [ %steps.1, %again ]
  %steps.1 = add i32 %steps, 1
  %is.odd = trunc i32 %x to i1
  br i1 %is.odd, label %odd, label %even

even:
  %half = lshr i32 %x, 1
  %big = icmp ugt i32 %half, 4
  br i1 %big, label %header, label %again

odd:
  %minus = sub i32 %x, 1
  %go = icmp ne i32 %minus, 0
  br i1 %go, label %header, label %exit

again:
  %less = call i32 @llvm.usub.sat.i32(i32 %half, i32 1)
  %stop = icmp eq i32 %less, 0
  br i1 %stop, label %exit, label %header

exit:
  ret i32 %steps.1
}

declare i32 @llvm.usub.sat.i32(i32, i32)
