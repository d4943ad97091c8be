; The source is defined everywhere; each run of the target takes 10,000 iterations before it returns something else.

define i32 @src(i32 %x) {
  ret i32 0
}
define i32 @tgt(i32 %x) {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %j, %l ]
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 10000
  br i1 %c, label %e, label %l
e:
  ret i32 1
}
