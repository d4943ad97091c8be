; simple-loop-unswitch<nontrivial>
; Code that is rarely or never executed is not duplicated.
declare void @a()
declare void @b()
define void @cold(i1 %c, i32 %n) cold {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  call void @a()
  br i1 %c, label %t, label %l
t:
  call void @b()
  br label %l
l:
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %x, label %h
x:
  ret void
}
define void @never(i1 %c, i32 %n) !prof !0 {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  call void @a()
  br i1 %c, label %t, label %l
t:
  call void @b()
  br label %l
l:
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %x, label %h
x:
  ret void
}
!0 = !{!"function_entry_count", i64 0}
