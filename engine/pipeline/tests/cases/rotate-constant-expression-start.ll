; loop-rotate
; A constant expression without undef needs no freeze.
@g = global [4 x i32] zeroinitializer
define ptr @f(ptr %end) {
entry:
  br label %header
header:
  %p = phi ptr [ getelementptr inbounds (i8, ptr @g, i64 4), %entry ], [ %p.next, %body ]
  %c = icmp ne ptr %p, %end
  br i1 %c, label %body, label %exit
body:
  %p.next = getelementptr i32, ptr %p, i64 1
  br label %header
exit:
  ret ptr %p
}
