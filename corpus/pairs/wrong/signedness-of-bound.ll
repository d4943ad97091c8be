; The exit test is rewritten with a signed comparison: for a bound above SMAX the target leaves at
; once.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %i.next = add nuw i32 %i, 1
  %hit = icmp eq i8 %v, 1
  br i1 %hit, label %exit, label %header

exit:
  %r = phi i32 [ 0, %header ], [ 1, %body ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %i.next = add nuw i32 %i, 1
  %hit = icmp eq i8 %v, 1
  br i1 %hit, label %exit, label %header

exit:
  %r = phi i32 [ 0, %header ], [ 1, %body ]
  ret i32 %r
}
