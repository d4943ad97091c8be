; loop-unroll<count=4;runtime>
; a[i / 2] is loaded twice in four copies; the value that alternates between two unknowns is computed in the first two
; of four.
define i32 @f(ptr %a, i32 %x, i32 %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi i32 [ %x, %entry ], [ %c.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %h = udiv i64 %i, 2
  %q = getelementptr i32, ptr %a, i64 %h
  %v = load i32, ptr %q
  %m = mul i32 %c, %c
  %w = add i32 %v, %m
  %s.next = add i32 %s, %w
  %c.next = sub i32 %y, %c
  %i.next = add nuw i64 %i, 1
  %e = icmp eq i64 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret i32 %s.next
}
