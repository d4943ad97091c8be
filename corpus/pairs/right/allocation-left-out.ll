; An allocation that nothing comes of may be left out, with what frees it: that the target makes other calls refutes nothing.

declare noalias noundef ptr @malloc(i64 noundef) allockind("alloc,uninitialized") allocsize(0) nounwind willreturn memory(inaccessiblemem: readwrite) "alloc-family"="malloc"
declare void @free(ptr allocptr noundef captures(none)) allockind("free") nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc"

define i32 @src(i32 %n) {
  %a = call noalias ptr @malloc(i64 4)
  %is.null = icmp eq ptr %a, null
  br i1 %is.null, label %none, label %some

none:
  ret i32 0

some:
  store i32 1, ptr %a
  %v = load i32, ptr %a
  call void @free(ptr %a)
  %w = sub i32 %v, 1
  ret i32 %w
}

define i32 @tgt(i32 %n) {
  ret i32 0
}
