; early-exit-inversion
define i32 @f(i32 %a, i32 %n, i32 %k, ptr %p) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %in, %l ]
  %e = icmp eq i32 %i, %k
  br i1 %e, label %x, label %b
b:
  %c = icmp slt i32 %i, %a
  br i1 %c, label %t, label %l
t:
  %g = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %g
  br label %l
l:
  %in = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %in, %n
  br i1 %d, label %h, label %y
x:
  ret i32 1
y:
  %r = phi i32 [ %i, %l ]
  ret i32 %r
}
