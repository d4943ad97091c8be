; for (i = 0; i < n; i++) f(i/2) where i has become a counter of 64 bits, of which f sees the low ones: two lanes share a
; call, four lanes two, though the low bits wrap around.
; From loop-opt-ideas.rst: Uniform Lanes.

define i32 @half(i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %low = trunc i64 %i to i32
  %h = lshr i32 %low, 1
  %r = call i32 @f(i32 %h)
  %s.next = add i32 %s, %r
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}

declare i32 @f(i32) memory(none) nounwind willreturn
