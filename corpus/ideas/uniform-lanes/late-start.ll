; for (i = 1; i < n; i++) a[i/2]++: rounds of two iterations touch one element each if they begin with i = 2, so one
; iteration is peeled.
; From loop-opt-ideas.rst: Uniform Lanes.

define void @half(ptr %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 1, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %h = lshr i32 %i, 1
  %at = getelementptr inbounds i8, ptr %a, i32 %h
  %v = load i8, ptr %at
  %v1 = add i8 %v, 1
  store i8 %v1, ptr %at
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define i32 @aligned(ptr %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 16, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %h = lshr i32 %i, 1
  %at = getelementptr inbounds i8, ptr %a, i32 %h
  %v = load i8, ptr %at
  %v1 = add i8 %v, 1
  store i8 %v1, ptr %at
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %n
}
