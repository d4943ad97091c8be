; loop-unroll<partial;count=2;threshold=1000>
; A value that is poison only in the first iteration implies nothing about the next one.
declare void @seen(i8)

define void @first_alone(i8 %a) {
entry:
  %zero = sub i8 %a, %a
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %j = phi i8 [ %zero, %entry ], [ %next, %loop ]
  %low = and i8 %j, 3
  call void @seen(i8 %low)
  %next = add i8 %i, 1
  br label %loop
}

; Here the next iteration uses it.
define void @ever_after(i8 %a) {
entry:
  %zero = sub i8 %a, %a
  br label %loop
loop:
  %j = phi i8 [ %zero, %entry ], [ %next, %loop ]
  %low = and i8 %j, 3
  call void @seen(i8 %low)
  %next = add i8 %j, 1
  br label %loop
}
