; The header leaves the loop on the true edge; its exit block has a phi with a constant from the entry
; path.

define i32 @f(i32 %n, i32 %m) {
entry:
  %big = icmp ugt i32 %n, 100
  br i1 %big, label %exit, label %preheader

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %done = icmp uge i32 %i, %m
  br i1 %done, label %exit, label %body

body:
  %i.next = add i32 %i, %n
  br label %header

exit:
  %r = phi i32 [ -1, %entry ], [ %i, %header ]
  ret i32 %r
}
