; Rotation of a loop whose header calls an unknown function: the call is copied into the guard and
; moved to the latch, and happens as often as before.

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
  br i1 %m.0, label %preheader, label %exit

preheader:
  br label %body

body:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %i.next = add i32 %i, 1
  %m = call i1 @more(i32 %i.next)
  br i1 %m, label %body, label %loop.exit

loop.exit:
  %i.lcssa = phi i32 [ %i.next, %body ]
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %i.lcssa, %loop.exit ]
  ret i32 %r
}
