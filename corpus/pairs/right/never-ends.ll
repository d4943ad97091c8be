; Both sides go on for ever on every input, silently.

define void @src(i32 %n) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %back ]
  br label %inner
inner:
  %i = phi i32 [ %n, %outer ], [ %i.next, %inner ]
  %i.next = add i32 %i, 1
  %c = icmp ugt i32 %i, 7
  br i1 %c, label %back, label %inner
back:
  %k.next = add i32 %k, 1
  br label %outer
}
define void @tgt(i32 %n) {
entry:
  br label %outer
outer:
  br label %outer
}
