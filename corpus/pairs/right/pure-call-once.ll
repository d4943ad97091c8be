; A memory(none) function that returned once returns again: the source's loop makes no progress either.

declare i32 @pure(i32) nounwind memory(none)

define void @src(i32 noundef %n) mustprogress {
entry:
  br label %l
l:
  %v = call i32 @pure(i32 %n)
  br label %l
}

define void @tgt(i32 noundef %n) mustprogress {
entry:
  %v = call i32 @pure(i32 %n)
  br label %l
l:
  br label %l
}
