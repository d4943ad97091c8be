; Other code may have written the global before the function runs.

@g = global i32 5

define i32 @src(i32 noundef %n) {
entry:
  %v = load i32, ptr @g
  %m = mul i32 %v, %v
  ret i32 %m
}

define i32 @tgt(i32 noundef %n) {
entry:
  ret i32 25
}
