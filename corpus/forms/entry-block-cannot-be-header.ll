; The loop begins right after an empty entry block: the entry block itself can never be a header.

define i32 @f(i32 %n) {
  br label %1

1:
  %2 = phi i32 [ %n, %0 ], [ %3, %1 ]
  %3 = sdiv i32 %2, 2
  %4 = icmp sgt i32 %3, 1
  br i1 %4, label %1, label %5

5:
  ret i32 %3
}
