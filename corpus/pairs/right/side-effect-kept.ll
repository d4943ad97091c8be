; Both loops pass llvm.sideeffect and run forever.

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
  br i1 %c, label %g, label %x
g:
  call void @llvm.sideeffect()
  br label %h
h:
  call void @llvm.sideeffect()
  br label %h
x:
  %r = add i32 0, 1
  ret i32 %r
}
