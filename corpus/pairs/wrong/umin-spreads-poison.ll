; The exit count of two exits taken as a plain umin: the second exit's bound may be poison although
; the first exit fires before it is looked at.

define i32 @src(i32 %n, i32 %m) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %first = icmp uge i32 %i, %n
  br i1 %first, label %exit, label %latch

latch:
  %second = icmp uge i32 %i, %m
  %i.next = add nuw i32 %i, 1
  br i1 %second, label %exit, label %loop

exit:
  ret i32 %i
}

define i32 @tgt(i32 %n, i32 %m) {
entry:
  %count = call i32 @llvm.umin.i32(i32 %n, i32 %m)
  ret i32 %count
}

define i32 @right(i32 %n, i32 %m) {
entry:
  %none = icmp eq i32 %n, 0
  %count = call i32 @llvm.umin.i32(i32 %n, i32 %m)
  %r = select i1 %none, i32 0, i32 %count
  ret i32 %r
}

declare i32 @llvm.umin.i32(i32, i32)
