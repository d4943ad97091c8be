; Without llvm.sideeffect the loop makes no progress, and entering it is undefined.

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
  br i1 %c, label %h, label %x
h:
  br label %h
x:
  ret i32 1
}
