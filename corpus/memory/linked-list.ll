; A loop whose induction variable is a pointer: it follows next pointers until null.

@n2 = global { i32, ptr } { i32 300, ptr null }
@n1 = global { i32, ptr } { i32 20, ptr @n2 }
@n0 = global { i32, ptr } { i32 1, ptr @n1 }

define i32 @sum(ptr %head) {
entry:
  br label %header

header:
  %p = phi ptr [ %head, %entry ], [ %next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %end = icmp eq ptr %p, null
  br i1 %end, label %exit, label %body

body:
  %v = load i32, ptr %p
  %s.next = add i32 %s, %v
  %next.at = getelementptr inbounds { i32, ptr }, ptr %p, i32 0, i32 1
  %next = load ptr, ptr %next.at
  br label %header

exit:
  ret i32 %s
}

define i32 @run() {
  %r = call i32 @sum(ptr @n0)
  ret i32 %r
}
