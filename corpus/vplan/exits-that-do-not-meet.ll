; The exits of the loop have no common post-dominator: a dummy block is the landing pad of all of them, to which it is
; carried where control goes from there, and with what.
; From vplan-hcfg-builder.rst: Build Plain CFG, TODOs.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %found, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %end

found:
  %where = phi i32 [ %i, %loop ]
  ret i32 %where

end:
  %last = phi i8 [ %v, %latch ]
  %w = zext i8 %last to i32
  %big = add i32 %w, 1000
  ret i32 %big
}
