; A loop that stores its counter to one cell becomes one store of the last.

define void @src(ptr %p, i32 noundef %n) {
entry:
  br label %body

body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  store i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  ret void
}

define void @tgt(ptr %p, i32 noundef %n) {
entry:
  %count = call i32 @llvm.umax.i32(i32 %n, i32 1)
  %last = sub nuw i32 %count, 1
  store i32 %last, ptr %p
  ret void
}

declare i32 @llvm.umax.i32(i32, i32)
