; A volatile store may trap, so that what comes behind it may never come: that the source is undefined there does not excuse a
; target that leaves the store out.

define void @src(ptr noundef %p, i32 noundef %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 1
  br label %loop

exit:
  store volatile i32 0, ptr %p
  unreachable
}

define void @tgt(ptr noundef %p, i32 noundef %n) {
entry:
  ret void
}

; The same, but no run that is tried takes so few iterations.

define void @src_late(ptr noundef %p, i32 noundef %m) {
entry:
  %n = or i32 %m, 1073741824
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 1
  br label %loop

exit:
  store volatile i32 0, ptr %p
  unreachable
}

define void @tgt_late(ptr noundef %p, i32 noundef %m) {
entry:
  ret void
}
