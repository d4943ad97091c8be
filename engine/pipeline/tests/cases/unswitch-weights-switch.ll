; loop(simple-loop-unswitch<trivial>)
; The default and the last case exit: the switch before the loop gets their weights, the others stay.
define i32 @f(i32 %n, i32 %k, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  switch i32 %k, label %x [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %y
  ], !prof !0
a:
  store volatile i32 %i, ptr %p
  br label %l
b:
  store volatile i32 7, ptr %p
  br label %l
l:
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %h, label %z
x:
  ret i32 1
y:
  ret i32 2
z:
  ret i32 %i
}
; A case exits and the default stays: in the switch before the loop the default also represents the cases that stay.
define i32 @g(i32 %n, i32 %k, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  switch i32 %k, label %a [
    i32 1, label %b
    i32 2, label %y
  ], !prof !1
a:
  store volatile i32 %i, ptr %p
  br label %l
b:
  store volatile i32 7, ptr %p
  br label %l
l:
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %h, label %z
y:
  ret i32 2
z:
  ret i32 %i
}
!0 = !{!"branch_weights", i32 10, i32 20, i32 40, i32 30}
!1 = !{!"branch_weights", i32 30, i32 20, i32 50}
