; i / 8 is uniform over 8 iterations, i % 8 is a fixed base plus a constant per copy, c ^ 0xFF
; alternates between two values.
; From loop-opt-ideas.rst: Uniform Lanes.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = phi i32 [ 1, %entry ], [ %c.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %a = udiv i32 %i, 8
  %b = urem i32 %i, 8
  %c.next = xor i32 %c, 255
  %ab = add i32 %a, %b
  %abc = add i32 %ab, %c.next
  %s.next = add i32 %s, %abc
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
