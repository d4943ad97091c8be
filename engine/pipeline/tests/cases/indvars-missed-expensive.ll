; indvars
; The sum over the loop is a product, but the loop must run anyway.
define i32 @f(ptr %p, i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  store volatile i32 1, ptr %p
  %s.next = add i32 %s, %i
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %out
out:
  %v = phi i32 [ %s.next, %loop ]
  ret i32 %v
}
