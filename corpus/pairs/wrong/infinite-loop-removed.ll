; A loop that runs forever and does nothing may be removed only where something demands progress of it.

define i8 @src() {
entry:
  br label %loop

loop:
  br label %loop
}

define i8 @tgt() {
  ret i8 0
}

define i8 @src_mustprogress() mustprogress {
entry:
  br label %loop

loop:
  br label %loop
}

define i8 @tgt_mustprogress() mustprogress {
  ret i8 0
}

define i8 @src_musttail(i8 %n) {
  %m = add i8 %n, 1
  %r = musttail call i8 @src_musttail(i8 %m)
  ret i8 %r
}

define i8 @tgt_musttail(i8 %n) {
  ret i8 0
}
