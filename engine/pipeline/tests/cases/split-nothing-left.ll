; iteration-set-split<at=3>
; There are three iterations: the second loop would have none.
declare void @a(i32)
define void @f() {
entry:
  br label %l
l:
  %i = phi i32 [ 0, %entry ], [ %j, %l ]
  call void @a(i32 %i)
  %j = add nuw i32 %i, 1
  %d = icmp eq i32 %j, 3
  br i1 %d, label %x, label %l
x:
  ret void
}
