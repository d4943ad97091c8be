; Peeling by two makes the terms of an xor recurrence invariant: in the rest of the loop c alternates
; between the values of the first two iterations.
; From loop-opt-ideas.rst: Uniform Lanes.

define i32 @src(i32 %n, i32 %c0) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = phi i32 [ %c0, %entry ], [ %c.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %c.next = xor i32 %c, 255
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %c
}

define i32 @tgt(i32 %n, i32 %c0) {
entry:
  %more.0 = icmp ugt i32 %n, 0
  br i1 %more.0, label %peel1, label %exit

peel1:
  %c.1 = xor i32 %c0, 255
  %more.1 = icmp ugt i32 %n, 1
  br i1 %more.1, label %peel2, label %exit

peel2:
  br label %header

header:
  %i = phi i32 [ 2, %peel2 ], [ %i.next, %body ]
  %c = phi i32 [ %c0, %peel2 ], [ %c.other, %body ]
  %c.other = phi i32 [ %c.1, %peel2 ], [ %c, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  %r = phi i32 [ %c0, %entry ], [ %c.1, %peel1 ], [ %c, %header ]
  ret i32 %r
}
