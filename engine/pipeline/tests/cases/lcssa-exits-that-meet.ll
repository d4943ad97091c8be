; lcssa
; %v leaves the loop through two exits whose paths join; %w through one.
define i32 @f(i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %v = phi i32 [ 0, %entry ], [ %w, %latch ]
  br i1 %c, label %latch, label %exit1
latch:
  %w = add i32 %v, 1
  br i1 %d, label %loop, label %exit2
exit1:
  br label %join
exit2:
  %x = add i32 %w, %v
  br label %join
join:
  %r = add i32 %v, 1
  ret i32 %r
}
