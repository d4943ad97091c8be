; indvars
; If %n is 0, the loop exits immediately with the start of %s, which does not depend on a poison %b. %t depends on it
; even then.
define i32 @f(i32 noundef %a, i32 %b, i32 noundef %n, ptr %p) {
entry:
  br label %loop
loop:
  %s = phi i32 [ %a, %entry ], [ %s.next, %latch ]
  %t = phi i32 [ %b, %entry ], [ %t.next, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit
latch:
  store volatile i32 %i, ptr %p
  %s.next = add i32 %s, %b
  %t.next = add i32 %t, %b
  %i.next = add i32 %i, 1
  br label %loop
exit:
  %x = phi i32 [ %s, %loop ]
  %y = phi i32 [ %t, %loop ]
  %z = add i32 %x, %y
  ret i32 %z
}
