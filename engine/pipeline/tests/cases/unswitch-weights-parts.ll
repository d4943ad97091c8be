; loop(simple-loop-unswitch<nontrivial>)
; The weights do not tell how often one of two conditions decides the branch, so the branch before the loop has none.
define void @parts(i32 %n, i1 %a, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  %b = icmp eq i32 %i, 7
  %both = and i1 %a, %b
  br i1 %both, label %t, label %l, !prof !0
t:
  store volatile i32 %i, ptr %p
  br label %l
l:
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %h, label %x
x:
  ret void
}
define void @whole(i32 %n, i1 %a, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  br i1 %a, label %t, label %l, !prof !0
t:
  store volatile i32 %i, ptr %p
  br label %l
l:
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %h, label %x
x:
  ret void
}
!0 = !{!"branch_weights", i32 3, i32 5}
