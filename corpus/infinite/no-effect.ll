; An infinite loop without effects, in a function that promises progress: reaching it is undefined
; there, and legal in the other function.

define i32 @plain(i1 %c) {
entry:
  br i1 %c, label %loop, label %exit

loop:
  br label %loop

exit:
  ret i32 1
}

define i32 @must.progress(i1 %c) mustprogress {
entry:
  br i1 %c, label %loop, label %exit

loop:
  br label %loop

exit:
  ret i32 1
}
