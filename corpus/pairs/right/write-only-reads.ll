; Where a function may only write, it reads back what it has written, and poison before that.

@g = external global i32
@table = private constant [2 x i32] [i32 3, i32 4]

define i32 @src_forwarded(ptr noundef writeonly %p, i32 noundef %x) {
  store i32 %x, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @tgt_forwarded(ptr noundef writeonly %p, i32 noundef %x) {
  store i32 %x, ptr %p
  ret i32 %x
}

; A load whose value nobody uses.
define void @src_unused(ptr noundef %p) memory(write) {
  store i32 5, ptr %p
  %v = load i32, ptr %p
  ret void
}
define void @tgt_unused(ptr noundef %p) memory(write) {
  store i32 5, ptr %p
  ret void
}

; Nothing was written before: the value is poison.
define i32 @src_before() memory(write) {
  %v = load i32, ptr @g
  %bit = and i32 %v, 1
  ret i32 %bit
}
define i32 @tgt_before() memory(write) {
  ret i32 7
}

define i32 @src_loop(ptr noundef writeonly %p, i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %v = load i32, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %v
}
define i32 @tgt_loop(ptr noundef writeonly %p, i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %i
}

; Constants can be read by every function.
define i32 @src_constant() memory(write) {
  %v = load i32, ptr @table
  ret i32 %v
}
define i32 @tgt_constant() memory(write) {
  ret i32 3
}
