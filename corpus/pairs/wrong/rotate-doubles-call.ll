; Rotation copies the header's call into guard and latch but leaves the one at the top of the body
; too.

declare i1 @more(i32)

define i32 @src(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %m = call i1 @more(i32 %i)
  br i1 %m, label %body, label %exit

body:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 %n) {
entry:
  %m.0 = call i1 @more(i32 0)
  br i1 %m.0, label %body, label %exit

body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %m.1 = call i1 @more(i32 %i)
  %i.next = add i32 %i, 1
  %m = call i1 @more(i32 %i.next)
  br i1 %m, label %body, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %i.next, %body ]
  ret i32 %r
}
