; The loop is entered only if %n is not zero. Rotated, that test stands in front of it as its guard, and the division
; can stand between the two: it is executed in each iteration, and not at all if there is none.
; From loop-terminology.rst: Rotated Loops.

define i32 @f(i32 %n, i32 %x) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %body ]
  %in = icmp ult i32 %i, %n
  br i1 %in, label %body, label %exit

body:
  %quotient = udiv i32 100, %x
  %sum.next = add i32 %sum, %quotient
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %sum
}

; The division is executed in some iterations, and stays: %x may be zero where none of them comes.
define i32 @sometimes(i32 %n, i32 %x) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %latch ]
  %in = icmp ult i32 %i, %n
  br i1 %in, label %body, label %exit

body:
  %third = icmp eq i32 %i, 2
  br i1 %third, label %divide, label %latch

divide:
  %quotient = udiv i32 100, %x
  br label %latch

latch:
  %term = phi i32 [ 1, %body ], [ %quotient, %divide ]
  %sum.next = add i32 %sum, %term
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %sum
}
