; Counts header executions and body executions: for a non-positive n the header runs once and the body
; never, so the backedge-taken count 0 says more than the trip count 1.
; From loop-terminology.rst: Important Notes.
;
; The result is 100 * (header executions) + (backedges taken).

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %headers = phi i32 [ 0, %entry ], [ %headers.next, %body ]
  %headers.next = add i32 %headers, 1
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  %hundreds = mul i32 %headers.next, 100
  %r = add i32 %hundreds, %i
  ret i32 %r
}
