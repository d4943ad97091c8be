; A byte copy whose source and destination may overlap; forwards, so an overlap one byte ahead smears
; the first byte.

define void @copy(ptr %dst, ptr %src, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %from = getelementptr inbounds i8, ptr %src, i32 %i
  %v = load i8, ptr %from
  %to = getelementptr inbounds i8, ptr %dst, i32 %i
  store i8 %v, ptr %to
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define i32 @apart(ptr %dst, ptr %src, i32 %n) {
  call void @copy(ptr %dst, ptr %src, i32 %n)
  %r = load i32, ptr %dst
  ret i32 %r
}

define i32 @smear(ptr %p) {
  %p1 = getelementptr inbounds i8, ptr %p, i32 1
  call void @copy(ptr %p1, ptr %p, i32 3)
  %r = load i32, ptr %p
  ret i32 %r
}
