; loop-rotate<no-header-duplication>
define void @f(i32 %n) {
entry:
  br label %header
header:
  %x0 = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %x1 = add i32 %x0, %i
  %c = icmp slt i32 %x1, %n
  br i1 %c, label %body, label %exit
body:
  %i.next = add i32 %i, 1
  br label %header
exit:
  ret void
}
