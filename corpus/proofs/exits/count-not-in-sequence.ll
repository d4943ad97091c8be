; The value behind two exits is taken for the plain lesser of both bounds.
; Wrong for n = 0 and a poison m: the source returns 0, the target poison.

define i32 @src(i32 %n, i32 %m) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %d = icmp ult i32 %i, %m
  br i1 %d, label %latch, label %exit

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 %n, i32 %m) {
entry:
  %r = call i32 @llvm.umin.i32(i32 %n, i32 %m)
  ret i32 %r
}

declare i32 @llvm.umin.i32(i32, i32)
