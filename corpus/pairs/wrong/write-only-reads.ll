; Where a function may only write, it reads back what it has written, and poison before that.

@g = external global i32

define i32 @src_parameter(ptr noundef writeonly %p, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  store i32 5, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
b:
  ret i32 0
}
define i32 @tgt_parameter(ptr noundef writeonly %p, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  store i32 5, ptr %p
  ret i32 6
b:
  ret i32 0
}

define i32 @src_function(ptr noundef %p, i1 noundef %c) memory(write) {
  br i1 %c, label %a, label %b
a:
  store i32 5, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
b:
  ret i32 0
}
define i32 @tgt_function(ptr noundef %p, i1 noundef %c) memory(write) {
  br i1 %c, label %a, label %b
a:
  store i32 5, ptr %p
  ret i32 6
b:
  ret i32 0
}

; Nothing was written before: the value of the target is poison.
define i32 @src_before() memory(write) {
  ret i32 0
}
define i32 @tgt_before() memory(write) {
  %v = load i32, ptr @g
  %bit = and i32 %v, 0
  ret i32 %bit
}

; The same in a loop.
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
  ret i32 %next
}
