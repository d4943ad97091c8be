declare i32 @getchar()

define i32 @f() {
  %c = call i32 @getchar()
  ret i32 %c
}
