; indvars
; Only %j itself uses %j.
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %j = phi double [ 0.0, %entry ], [ %j.next, %loop ]
  %x = load volatile i8, ptr %p
  %j.next = fadd double %j, 1.0
  %c = icmp ne i8 %x, 0
  br i1 %c, label %loop, label %out
out:
  ret void
}
