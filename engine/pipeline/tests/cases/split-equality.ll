; iteration-set-split
; Equal to %k once, but not in the first iteration for every %k: the outcome after the split is not constant.
define i32 @f(i32 %n, i32 %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %is.k = icmp eq i32 %i, %k
  %x = select i1 %is.k, i32 100, i32 1
  %s.next = add i32 %s, %x
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret i32 %s.next
}
