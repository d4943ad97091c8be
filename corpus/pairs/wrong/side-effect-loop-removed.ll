; llvm.sideeffect is progress: a loop that passes it may run forever under mustprogress.

declare void @llvm.sideeffect()

define i32 @src(i1 noundef %c) mustprogress {
entry:
  br i1 %c, label %h, label %x
h:
  call void @llvm.sideeffect()
  br label %h
x:
  ret i32 1
}

define i32 @tgt(i1 noundef %c) mustprogress {
entry:
  ret i32 1
}
