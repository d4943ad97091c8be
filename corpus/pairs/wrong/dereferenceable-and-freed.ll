; `dereferenceable` says what holds of an argument when the function begins. A function may free the memory itself.

declare void @free(ptr)

define i32 @src(ptr noundef dereferenceable(4) %p, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  call void @free(ptr %p)
  ret i32 1
b:
  ret i32 0
}
define i32 @tgt(ptr noundef dereferenceable(4) %p, i1 noundef %c) {
  br i1 %c, label %a, label %b
a:
  call void @free(ptr %p)
  %v = load i32, ptr %p, align 1
  ret i32 1
b:
  ret i32 0
}

; The same where a run hardly gets to.
define i32 @src_guarded(ptr noundef dereferenceable(4) %p, i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %m, 1552334026878672757
  br i1 %c, label %a, label %b
a:
  call void @free(ptr %p)
  ret i32 1
b:
  ret i32 0
}
define i32 @tgt_guarded(ptr noundef dereferenceable(4) %p, i64 noundef %k) {
  %m = mul i64 %k, -7046029254386353131
  %c = icmp eq i64 %m, 1552334026878672757
  br i1 %c, label %a, label %b
a:
  call void @free(ptr %p)
  %v = load i32, ptr %p, align 1
  ret i32 1
b:
  ret i32 0
}
