; a call may leave poison in memory: branching on it is worse than selecting
@x = global i8 0
declare void @set()
define i8 @src(i8 %a) {
  call void @set()
  %v = load i8, ptr @x
  %c = icmp eq i8 %v, 77
  %r = select i1 %c, i8 1, i8 %a
  ret i8 %r
}
define i8 @tgt(i8 %a) {
  call void @set()
  %v = load i8, ptr @x
  %c = icmp eq i8 %v, 77
  br i1 %c, label %y, label %n
y:
  ret i8 1
n:
  ret i8 %a
}

; stored back, a byte that is poison in part is all poison, and the next call sees that
define void @src2() {
  call void @set()
  call void @set()
  ret void
}
define void @tgt2() {
  call void @set()
  %v = load i8, ptr @x
  store i8 %v, ptr @x
  call void @set()
  ret void
}
