; Reading a local before it is stored gives undef, and a branch on that is undefined.

define i32 @f(i1 %init) {
entry:
  %x = alloca i32, align 4
  br i1 %init, label %store, label %preheader

store:
  store i32 3, ptr %x
  br label %preheader

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %n = load i32, ptr %x
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}
