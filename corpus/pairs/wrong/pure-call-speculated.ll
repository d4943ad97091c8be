; A function without effects may still be undefined behaviour when it is called: only `speculatable` says that it is not.
; So no call may be made that the source does not make.

declare i32 @f(i32) memory(none) nounwind willreturn
declare i32 @reads(ptr) memory(argmem: read) nounwind willreturn

define i32 @src(i32 %n, i1 %c) {
entry:
  br i1 %c, label %call, label %exit

call:
  %v = call i32 @f(i32 %n)
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %v, %call ]
  ret i32 %r
}

define i32 @tgt(i32 %n, i1 %c) {
  %v = call i32 @f(i32 %n)
  %r = select i1 %c, i32 %v, i32 0
  ret i32 %r
}

define i32 @src_loop(i32 %n, i1 %c) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %call, label %latch

call:
  %v = call i32 @f(i32 %n)
  br label %latch

latch:
  %q = phi i32 [ 0, %loop ], [ %v, %call ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}

define i32 @tgt_loop(i32 %n, i1 %c) {
entry:
  %v = call i32 @f(i32 %n)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %call, label %latch

call:
  br label %latch

latch:
  %q = phi i32 [ 0, %loop ], [ %v, %call ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}

define i32 @src_reads(ptr %p) {
  %is.null = icmp eq ptr %p, null
  br i1 %is.null, label %null, label %call

null:
  ret i32 0

call:
  %v = call i32 @reads(ptr %p)
  ret i32 %v
}

define i32 @tgt_reads(ptr %p) {
  %is.null = icmp eq ptr %p, null
  %v = call i32 @reads(ptr %p)
  %r = select i1 %is.null, i32 0, i32 %v
  ret i32 %r
}

; Another argument is another call.
define i32 @src_other(i32 %n) {
  %v = call i32 @f(i32 1)
  ret i32 %v
}

define i32 @tgt_other(i32 %n) {
  %v = call i32 @f(i32 1)
  %w = call i32 @f(i32 2)
  ret i32 %v
}
