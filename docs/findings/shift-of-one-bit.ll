define i1 @f(i1 %a) {
entry:
  br label %head

head:
  %p = phi i1 [ true, %entry ], [ %q, %latch ]
  %c = icmp slt i1 %p, %a
  br i1 %c, label %body, label %left

body:
  br i1 false, label %latch, label %left

latch:
  %q = ashr i1 %p, false
  br label %head

left:
  %r = phi i1 [ false, %head ], [ true, %body ]
  ret i1 %r
}
