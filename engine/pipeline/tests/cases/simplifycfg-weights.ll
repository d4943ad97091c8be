; simplifycfg
; A select keeps the metadata of the branch that it replaces; unpredictability favors the select. A branch that nearly
; always goes the same way stays. The weight of a case with the default's target is added to the default, and a switch
; with one case becomes a branch.
declare void @a()
define i32 @chosen(i1 %c, i32 %v) {
entry:
  br i1 %c, label %t, label %j, !prof !0, !unpredictable !4
t:
  %w = add i32 %v, 1
  br label %j
j:
  %r = phi i32 [ %w, %t ], [ %v, %entry ]
  ret i32 %r
}
define i32 @foreseen(i1 %c, i32 %v) {
entry:
  br i1 %c, label %t, label %j, !prof !1
t:
  %w = add i32 %v, 1
  br label %j
j:
  %r = phi i32 [ %w, %t ], [ %v, %entry ]
  ret i32 %r
}
define void @three(i32 %k) {
entry:
  switch i32 %k, label %x [
    i32 0, label %u
    i32 1, label %x
    i32 2, label %u
  ], !prof !2
u:
  call void @a()
  br label %x
x:
  ret void
}
define void @one(i32 %k) {
entry:
  switch i32 %k, label %x [
    i32 7, label %u
  ], !prof !3
u:
  call void @a()
  br label %x
x:
  ret void
}
!0 = !{!"branch_weights", i32 60, i32 40}
!1 = !{!"branch_weights", i32 1, i32 2000}
!2 = !{!"branch_weights", i32 10, i32 20, i32 30, i32 40}
!3 = !{!"branch_weights", i32 5, i32 9}
!4 = !{}
