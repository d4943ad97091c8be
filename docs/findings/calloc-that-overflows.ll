target triple = "x86_64-pc-linux-gnu"

declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)

define i32 @f(i64 %n) {
  %p = call ptr @calloc(i64 %n, i64 16)
  %c = icmp ne ptr %p, null
  %r = zext i1 %c to i32
  call void @free(ptr %p)
  ret i32 %r
}
