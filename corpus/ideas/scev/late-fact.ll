; The increment's no-wrap is only known from the loop's exit test, after zext(iv) may already have
; been built: the late fact that should make zext(iv) an addrec too.
; From loop-opt-ideas.rst: Should SCEV be an optimizeable IR?.

define i64 @f(i32 %n) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %loop, label %none

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %loop ]
  %wide = zext i32 %i to i64
  %s.next = add i64 %s, %wide
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %s.next

none:
  ret i64 -1
}
