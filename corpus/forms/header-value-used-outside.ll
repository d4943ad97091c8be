; A value computed in the header is used in the body, in the latch and after the loop: rotation gives
; it two definitions and must merge them.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i32 %s, %w
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  %r = mul i32 %w, 256
  %r.s = add i32 %r, %s
  ret i32 %r.s
}
