declare i32 @getchar()
